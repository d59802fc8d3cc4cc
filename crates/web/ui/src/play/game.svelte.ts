// One game of the visitor against one opponent: its moves, whose turn it is, and what the visitor can do.
// The server keeps no game. So taking back only drops moves here, and another opponent is only another name in the request.
import { api, Refused, type About, type GameInfo, type HintAnswer, type ShownGame, type Side } from '../lib/api';
import { sentence } from '../lib/words';
import { anySide, seed, type GameRequest } from './address';
import { ending, other, sideTitle, spoken } from './words';

/** The side that the visitor chose. `chance` draws a side for every new game. */
export type Choice = Side | 'chance';

/** An answer that takes longer than this, in milliseconds, gets a progress bar. */
const SLOW = 150;
/** How long to wait before the page asks again whether the server answers, in milliseconds. */
const AGAIN = 2000;

export class CurrentGame {
  play = $state.raw<GameRequest['play']>({ game: '', setup: [], against: '', start: null, moves: [], seed: 0, person: 'first' });
  /** The visitor's side in this game. */
  you = $state<Side>('first');
  side = $state<Choice>('first');
  /** The position from which the visitor wants new games to begin; null leaves it to the server. */
  start = $state<string | null>(null);
  /** The game after its last move, or null before the first answer of the server. */
  latest = $state.raw<ShownGame | null>(null);
  /** An earlier position that the visitor is looking at, or null. */
  past = $state.raw<{ ply: number; game: ShownGame } | null>(null);
  /** Whether the opponent is choosing a move. */
  thinking = $state(false);
  /** Whether the opponent's move or the hint is taking longer than `SLOW`. */
  slow = $state(false);
  /** Whether the opponent was stopped and waits until the visitor lets it move. */
  stopped = $state(false);
  /** The illegal move that the opponent tried, or null. The opponent has lost by it. */
  illegal = $state<string | null>(null);
  /** Whether the visitor has given up. */
  resigned = $state(false);
  hint = $state.raw<HintAnswer | null>(null);
  error = $state<string | null>(null);
  /** The last message for screen readers. */
  said = $state('');

  readonly about: About;
  #requests = new AbortController();
  #wantedPly: number | null = null;

  constructor(about: About) {
    this.about = about;
  }

  readonly info = $derived.by((): GameInfo => {
    const found = this.about.games.find((game) => game.name === this.play.game) ?? this.about.games[0];
    if (!found) throw new Error('There are no games.');
    return found;
  });
  readonly over = $derived(this.resigned || this.illegal !== null || (this.latest?.outcome ?? null) !== null);
  readonly yourTurn = $derived(!this.over && this.latest?.side === this.you);
  readonly shown = $derived(this.past?.game ?? this.latest);
  /** The number of moves that led to the position on the board. */
  readonly ply = $derived(this.past?.ply ?? this.play.moves.length);
  /** The position on the board, as a request to the server. */
  readonly request = $derived({ ...this.play, moves: this.play.moves.slice(0, this.ply) });
  /** The number of moves that stay when the visitor's last move is taken back; null if the visitor made no move. */
  readonly pliesAfterTakeBack = $derived.by(() => {
    const made = this.play.moves.length;
    const back = made - (this.latest?.side === this.you ? 2 : 1);
    return made > 0 && back >= 0 ? back : null;
  });

  readonly status = $derived.by(() => {
    if (!this.latest) return '';
    if (this.resigned) return 'You have resigned. The opponent wins.';
    if (this.illegal !== null) return `You have won: the opponent tried ${this.illegal}, which is not legal.`;
    if (this.latest.outcome !== null) return ending(this.latest, this.you);
    if (this.stopped) return 'The opponent was stopped. It is the opponent’s turn.';
    if (this.thinking) return this.slow ? 'The opponent is thinking…' : 'The opponent moves.';
    return this.yourTurn ? `Your turn: you are ${sideTitle(this.info, this.you)}.` : 'It is the opponent’s turn.';
  });

  /** Cancels all requests that are waiting for an answer; returns the signal for the next ones. */
  #newRequests(): AbortSignal {
    this.#requests.abort();
    this.#requests = new AbortController();
    this.thinking = this.slow = this.stopped = false;
    this.error = null;
    return this.#requests.signal;
  }

  /** Runs an action; returns whether it succeeded. Its error is shown, unless the action was cancelled. */
  async #attempt(signal: AbortSignal, action: () => Promise<void>): Promise<boolean> {
    try {
      await action();
      return true;
    } catch (error) {
      if (!signal.aborted) this.error = sentence(error);
      if (!signal.aborted && error instanceof Refused && error.status === 0) this.#recover(signal);
      return false;
    }
  }

  /** Waits until the server answers again; then the game goes on. */
  #recover(signal: AbortSignal) {
    setTimeout(async () => {
      if (signal.aborted) return;
      try {
        await api.position(this.play, signal);
      } catch (error) {
        if (!(error instanceof Refused) || error.status === 0) return this.#recover(signal);
      }
      if (signal.aborted) return;
      this.error = null;
      await this.letOpponentMove();
    }, AGAIN);
  }

  /** Goes to another game; returns whether the server accepted it. */
  async open({ play, you }: GameRequest, side: Choice = you): Promise<boolean> {
    const signal = this.#newRequests();
    const opened = await this.#attempt(signal, async () => {
      const wanted = { ...play, person: you };
      const game = await api.position(wanted, signal);
      signal.throwIfAborted();
      this.play = wanted;
      this.start = play.start;
      this.you = you;
      this.side = side;
      this.illegal = null;
      this.resigned = false;
      this.#show(game);
    });
    if (opened) await this.letOpponentMove();
    return opened;
  }

  #show(game: ShownGame) {
    this.latest = game;
    this.past = null;
    this.#wantedPly = null;
    this.hint = null;
  }

  /** Gives a message to screen readers. */
  say(text: string) {
    // Screen readers skip a text that does not change. The space makes it another text.
    this.said = this.said === text ? `${text}\u00a0` : text;
  }

  #moveWords(side: Side, move: string): string {
    return `${sideTitle(this.info, side)}: ${spoken(this.play.game, move)}.`;
  }

  /** Makes a move of the visitor; returns whether the server accepted it. */
  async move(text: string): Promise<boolean> {
    if (!this.yourTurn || this.past) return false;
    const signal = this.#newRequests();
    const accepted = await this.#attempt(signal, async () => {
      const play = { ...this.play, moves: [...this.play.moves, text] };
      const game = await api.position(play, signal);
      this.play = play;
      this.#show(game);
      this.say(`${this.#moveWords(this.you, text)} ${this.status}`);
    });
    if (accepted) await this.letOpponentMove();
    return accepted;
  }

  /** Lets the opponent move if it is its turn. */
  async letOpponentMove() {
    if (!this.latest || this.over || this.yourTurn) return;
    const signal = this.#newRequests();
    this.thinking = true;
    const timer = this.#slowTimer(signal);
    const answered = await this.#attempt(signal, async () => {
      const answer = await api.answer(this.play, signal);
      const last = this.play.moves.at(-1);
      const visitorsMove = last !== undefined && !this.slow ? this.#moveWords(this.you, last) : '';
      this.illegal = answer.illegal;
      if (answer.move !== null) this.play = { ...this.play, moves: [...this.play.moves, answer.move] };
      this.#show(answer.table);
      this.thinking = this.slow = false;
      const opponentsMove = answer.move === null ? '' : this.#moveWords(other(this.you), answer.move);
      // A quick answer replaces the message about the visitor's move before it is read, so it is repeated here.
      this.say(`${visitorsMove} ${opponentsMove} ${this.status}`.trim());
    });
    clearTimeout(timer);
    if (!answered && !signal.aborted) {
      this.thinking = this.slow = false;
      this.stopped = true;
    }
  }

  #slowTimer(signal: AbortSignal) {
    return setTimeout(() => {
      if (!signal.aborted) this.slow = true;
    }, SLOW);
  }

  stop() {
    this.#newRequests();
    this.stopped = !this.over && !this.yourTurn;
    this.say(this.status);
  }

  /** Ends the game; the opponent wins. */
  resign() {
    this.#newRequests();
    this.resigned = true;
    this.say(this.status);
  }

  /** Whether the visitor has won, lost or drawn; null while the game goes on. */
  readonly result = $derived.by((): 'won' | 'lost' | 'drawn' | null => {
    if (!this.over) return null;
    if (this.resigned) return 'lost';
    if (this.illegal !== null) return 'won';
    return this.latest?.outcome === 'draw' ? 'drawn' : this.latest?.outcome === this.you ? 'won' : 'lost';
  });

  takeBack = () => this.pliesAfterTakeBack !== null && this.#backTo(this.pliesAfterTakeBack, 'Move taken back.');
  playFrom = (ply: number) => this.#backTo(ply, 'You play on from here.');

  async #backTo(ply: number, words: string) {
    const play = { ...this.play, moves: this.play.moves.slice(0, ply) };
    if (await this.open({ play, you: this.you }, this.side)) this.say(`${words} ${this.status}`);
  }

  swapSides = () => this.chooseSide(other(this.you));

  /** Gives the visitor a side, and the opponent the other one. */
  async chooseSide(side: Choice) {
    this.side = side;
    if (this.over) return void (await this.newGame());
    const you = side === 'chance' ? anySide() : side;
    if (await this.open({ play: this.play, you }, side)) this.say(`You are ${sideTitle(this.info, you)} now. ${this.status}`);
  }

  newGame = (start: string | null = this.start) => {
    const play = { ...this.play, start, moves: [], seed: seed() };
    return this.open({ play, you: this.side === 'chance' ? anySide() : this.side }, this.side);
  };

  /** Changes the opponent. The game goes on if the new opponent can play it; otherwise a new game begins. */
  async changeOpponent(against: string): Promise<boolean> {
    const { play, you, side, latest, start } = this;
    const begun = play.moves.length > 0 && !this.over;
    if (begun && latest) {
      const goesOn = await this.open({ play: { ...play, against, start: latest.start }, you }, side);
      // The request names this game's start. New games still begin where the visitor wanted.
      if (goesOn) this.start = start;
      // No error means that the request was cancelled.
      if (goesOn || this.error === null) return goesOn;
    }
    const opened = await this.open({ play: { ...play, against, start: null, moves: [], seed: seed() }, you }, side);
    if (opened && begun) this.say(`A new game begins, because this opponent cannot play on in the old one. ${this.status}`);
    return opened;
  }

  /** The ply that the visitor asked for last; its position may still be on its way. */
  get wantedPly() {
    return this.#wantedPly ?? this.ply;
  }

  /** Shows the position after a number of moves. */
  async showPly(ply: number) {
    if (ply === this.play.moves.length) {
      this.#wantedPly = null;
      this.past = null;
      return;
    }
    const { signal } = this.#requests;
    this.#wantedPly = ply;
    await this.#attempt(signal, async () => {
      const game = await api.position({ ...this.play, moves: this.play.moves.slice(0, ply) }, signal);
      // The visitor may have asked for another ply meanwhile.
      if (this.#wantedPly === ply) this.past = { ply, game };
    });
  }

  async askForHint() {
    const signal = this.#newRequests();
    const timer = this.#slowTimer(signal);
    await this.#attempt(signal, async () => {
      const hint = await api.hint(this.play, signal);
      signal.throwIfAborted();
      this.hint = hint;
      this.say(`Hint: ${hint.words}.`);
    });
    clearTimeout(timer);
    if (!signal.aborted) this.slow = false;
  }

  /** Cancels all requests, when the page is left. */
  leave() {
    this.#requests.abort();
  }
}
