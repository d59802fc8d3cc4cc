// Steps through a game: to any ply, and by itself at some speed.
import type { GameInfo, Side, SteppedGame } from '../lib/api';
import { other, SideName, spoken } from '../play/words';

export class Stepper {
  ply = $state(0);
  playing = $state(false);
  /** Moves a second. */
  speed = $state(1);
  /** For whoever cannot see the board. */
  said = $state('');
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly game: () => SteppedGame,
    readonly info: () => GameInfo,
  ) {}

  get end() {
    return this.game().moves.length;
  }

  /** Whose turn it is at a ply. */
  side(ply: number): Side {
    const { side } = this.game();
    return ply % 2 ? other(side) : side;
  }

  /** The number that a move has, counted as people do. */
  number(ply: number): number {
    return Math.floor((ply - 1 + (this.game().side === 'second' ? 1 : 0)) / 2) + 1;
  }

  to(ply: number) {
    this.ply = Math.max(0, Math.min(this.end, ply));
    this.said = this.words(this.ply);
    if (this.ply === this.end) this.pause();
  }

  /** What a step leads to. */
  words(ply: number): string {
    const { game, moves, illegal } = this.game();
    if (ply === 0) return 'The start.';
    const move = `Move ${this.number(ply)}, ${SideName(this.info(), this.side(ply - 1))}: ${spoken(game, moves[ply - 1] ?? '')}.`;
    if (ply < this.end) return move;
    return `${move} ${illegal === null ? this.ending() : `${SideName(this.info(), this.side(ply))} tries ${illegal}, which is illegal. ${this.ending()}`}`;
  }

  ending(): string {
    const { outcome, problem } = this.game();
    if (outcome === null) return problem === null ? 'The game is told up to here.' : 'The game breaks off here.';
    return outcome === 'draw' ? 'A draw.' : `${SideName(this.info(), outcome)} has won.`;
  }

  toggle() {
    if (this.playing) return this.pause();
    if (this.ply === this.end) this.ply = 0;
    this.playing = true;
    this.#later();
  }

  pause() {
    this.playing = false;
    clearTimeout(this.#timer);
  }

  #later() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (!this.playing) return;
      this.to(this.ply + 1);
      if (this.playing) this.#later();
    }, 1000 / this.speed);
  }
}
