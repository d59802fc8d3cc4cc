// Steps through a game: to any ply, or automatically at a chosen speed.
import type { GameInfo, Side, SteppedGame } from '../lib/api';
import { other, sideTitle, spoken } from '../play/words';

export class Stepper {
  ply = $state(0);
  playing = $state(false);
  /** Moves per second. */
  speed = $state(1);
  /** The last message for screen readers. */
  said = $state('');
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly game: () => SteppedGame,
    readonly info: () => GameInfo,
    /** Whether the game is being played, so that more moves will come. */
    readonly growing: () => boolean = () => false,
  ) {}

  get end() {
    return this.game().moves.length;
  }

  /** The side to move after a number of plies. */
  side(ply: number): Side {
    const { side } = this.game();
    return ply % 2 ? other(side) : side;
  }

  /** The number of a move as players count: both sides' moves share a number. */
  number(ply: number): number {
    return Math.floor((ply - 1 + (this.game().side === 'second' ? 1 : 0)) / 2) + 1;
  }

  to(ply: number) {
    this.ply = Math.max(0, Math.min(this.end, ply));
    this.said = this.words(this.ply);
    if (this.ply === this.end && !this.growing()) this.pause();
  }

  /** The last move before a ply in words, and the result at the end. */
  words(ply: number): string {
    const { game, moves, illegal } = this.game();
    if (ply === 0) return 'The start.';
    const move = `Move ${this.number(ply)}, ${sideTitle(this.info(), this.side(ply - 1))}: ${spoken(game, moves[ply - 1] ?? '')}.`;
    if (ply < this.end) return move;
    return `${move} ${illegal === null ? this.ending() : `${sideTitle(this.info(), this.side(ply))} tries ${illegal}, which is illegal. ${this.ending()}`}`;
  }

  ending(): string {
    const { outcome, problem } = this.game();
    if (this.growing()) return 'The next move has not been made yet.';
    if (outcome === null) return problem === null ? 'The record ends here.' : 'The rest of the game cannot be read.';
    return outcome === 'draw' ? 'A draw.' : `${sideTitle(this.info(), outcome)} has won.`;
  }

  /** Begins at the newest move, and shows more moves as they come. */
  follow() {
    this.ply = this.end;
    this.playing = true;
    this.#scheduleStep();
  }

  toggle() {
    if (this.playing) return this.pause();
    if (this.ply === this.end && !this.growing()) this.ply = 0;
    this.playing = true;
    this.#scheduleStep();
  }

  pause() {
    this.playing = false;
    clearTimeout(this.#timer);
  }

  #scheduleStep() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (!this.playing) return;
      // At the end of a game that is being played, the next move is waited for.
      if (this.ply < this.end || !this.growing()) this.to(this.ply + 1);
      if (this.playing) this.#scheduleStep();
    }, 1000 / this.speed);
  }
}
