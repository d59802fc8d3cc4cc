// One game against one opponent: what has happened, whose turn it is, and what can be done about it.
// The server keeps nothing, so that going back is forgetting moves, and changing the opponent is naming another.
import { api, type About, type GameInfo, type HintAnswer, type ShownGame, type Side } from '../lib/api';
import { sentence } from '../lib/words';
import { anySide, seed, type Asked } from './address';
import { SideName, ending, other, spoken } from './words';

export type Choice = Side | 'chance';

export class GameAtTable {
  play = $state.raw<Asked['play']>({ game: '', setup: [], against: '', start: null, moves: [], seed: 0, person: 'first' });
  you = $state<Side>('first');
  /** What was chosen, as chance draws anew for each game. */
  side = $state<Choice>('first');
  /** Where the person wants games to begin; null leaves it to the server. */
  begin = $state<string | null>(null);
  table = $state.raw<ShownGame | null>(null);
  /** An earlier position that is being looked at. */
  past = $state.raw<{ ply: number; table: ShownGame } | null>(null);
  thinking = $state(false);
  /** Whether that, or a hint, takes long enough to be worth a word. */
  slow = $state(false);
  /** Whether the opponent was stopped and waits to be let on. */
  stopped = $state(false);
  /** What the opponent tried and must not do. */
  illegal = $state<string | null>(null);
  hint = $state.raw<HintAnswer | null>(null);
  error = $state<string | null>(null);
  /** What was last said to whoever cannot see it. */
  said = $state('');

  readonly about: About;
  #work = new AbortController();
  #wanted: number | null = null;

  constructor(about: About) {
    this.about = about;
  }

  readonly info = $derived.by((): GameInfo => {
    const found = this.about.games.find((game) => game.name === this.play.game) ?? this.about.games[0];
    if (!found) throw new Error('There are no games.');
    return found;
  });
  readonly over = $derived(this.illegal !== null || (this.table?.outcome ?? null) !== null);
  readonly yourTurn = $derived(!this.over && this.table?.side === this.you);
  readonly shown = $derived(this.past?.table ?? this.table);
  readonly ply = $derived(this.past?.ply ?? this.play.moves.length);
  /** What is shown, as a question to the server. */
  readonly asked = $derived({ ...this.play, moves: this.play.moves.slice(0, this.ply) });
  /** How many moves are left when the person's last one is taken back; null when there is none. */
  readonly before = $derived.by(() => {
    const made = this.play.moves.length;
    const back = made - (this.table?.side === this.you ? 2 : 1);
    return made > 0 && back >= 0 ? back : null;
  });

  readonly status = $derived.by(() => {
    const table = this.table;
    if (!table) return '';
    if (this.illegal !== null) return `You have won: the opponent tried ${this.illegal}, which is not legal.`;
    if (table.outcome !== null) return ending(table, this.you);
    if (this.stopped) return 'The opponent was stopped. It is its turn.';
    if (this.thinking) return this.slow ? 'The opponent is thinking…' : 'The opponent moves.';
    return this.yourTurn ? `Your turn: you are ${SideName(this.info, this.you)}.` : 'It is the opponent’s turn.';
  });

  /** Begins anything new; what was under way is of no use any more. */
  #fresh(): AbortSignal {
    this.#work.abort();
    this.#work = new AbortController();
    this.thinking = this.slow = this.stopped = false;
    this.error = null;
    return this.#work.signal;
  }

  /** Whether it went well; errors become sentences, but what was broken off is none. */
  async #attempt(signal: AbortSignal, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (!signal.aborted) this.error = sentence(error);
      return false;
    }
  }

  /** Goes to another game, if the server takes it. */
  async open({ play, you }: Asked, side: Choice = you): Promise<boolean> {
    const signal = this.#fresh();
    const taken = await this.#attempt(signal, async () => {
      const seated = { ...play, person: you };
      const table = await api.position(seated, signal);
      signal.throwIfAborted();
      this.play = seated;
      this.begin = play.start;
      this.you = you;
      this.side = side;
      this.illegal = null;
      this.#show(table);
    });
    if (taken) await this.letOn();
    return taken;
  }

  #show(table: ShownGame) {
    this.table = table;
    this.past = null;
    this.#wanted = null;
    this.hint = null;
  }

  say(text: string) {
    // The same sentence twice is said twice.
    this.said = this.said === text ? `${text}\u00a0` : text;
  }

  #told(who: Side, move: string): string {
    return `${SideName(this.info, who)}: ${spoken(this.play.game, move)}.`;
  }

  async move(text: string): Promise<boolean> {
    if (!this.yourTurn || this.past) return false;
    const signal = this.#fresh();
    const taken = await this.#attempt(signal, async () => {
      const play = { ...this.play, moves: [...this.play.moves, text] };
      const table = await api.position(play, signal);
      this.play = play;
      this.#show(table);
      this.say(`${this.#told(this.you, text)} ${this.status}`);
    });
    if (taken) await this.letOn();
    return taken;
  }

  /** Lets the opponent move if it is its turn. */
  async letOn() {
    if (!this.table || this.over || this.yourTurn) return;
    const signal = this.#fresh();
    this.thinking = true;
    const timer = this.#patience(signal);
    const answered = await this.#attempt(signal, async () => {
      const answer = await api.answer(this.play, signal);
      const last = this.play.moves.at(-1);
      const before = last !== undefined && !this.slow ? this.#told(this.you, last) : '';
      this.illegal = answer.illegal;
      if (answer.move !== null) this.play = { ...this.play, moves: [...this.play.moves, answer.move] };
      this.#show(answer.table);
      this.thinking = this.slow = false;
      const told = answer.move === null ? '' : this.#told(other(this.you), answer.move);
      // What was said a moment ago is lost when something else is said, so it is said again.
      this.say(`${before} ${told} ${this.status}`.trim());
    });
    clearTimeout(timer);
    if (!answered && !signal.aborted) {
      this.thinking = this.slow = false;
      this.stopped = true;
    }
  }

  /** After a while it is shown that something takes its time. */
  #patience(signal: AbortSignal) {
    return setTimeout(() => {
      if (!signal.aborted) this.slow = true;
    }, 150);
  }

  stop() {
    this.#fresh();
    this.stopped = !this.over && !this.yourTurn;
    this.say(this.status);
  }

  takeBack = () => this.before !== null && this.#backTo(this.before, 'Taken back.');
  playFrom = (ply: number) => this.#backTo(ply, 'Played on from here.');

  async #backTo(ply: number, words: string) {
    const play = { ...this.play, moves: this.play.moves.slice(0, ply) };
    if (await this.open({ play, you: this.you }, this.side)) this.say(`${words} ${this.status}`);
  }

  swap = () => this.sit(other(this.you));

  /** Takes a side; the opponent has the other. */
  async sit(side: Choice) {
    this.side = side;
    if (this.over) return void (await this.again());
    const you = side === 'chance' ? anySide() : side;
    if (await this.open({ play: this.play, you }, side)) this.say(`You are ${SideName(this.info, you)} now. ${this.status}`);
  }

  again = (start: string | null = this.begin) => {
    const play = { ...this.play, start, moves: [], seed: seed() };
    return this.open({ play, you: this.side === 'chance' ? anySide() : this.side }, this.side);
  };

  /** Another opponent: for the game as it stands if it can play on, else for a new one. */
  async face(against: string): Promise<boolean> {
    const { play, you, side, table, begin } = this;
    const under = play.moves.length > 0 && !this.over;
    if (under && table) {
      const goes = await this.open({ play: { ...play, against, start: table.start }, you }, side);
      // The beginning was only told to go on from it.
      if (goes) this.begin = begin;
      // Without a word it was only broken off.
      if (goes || this.error === null) return goes;
    }
    const begun = await this.open({ play: { ...play, against, start: null, moves: [], seed: seed() }, you }, side);
    if (begun && under) this.say(`A new game, as this opponent cannot play on in the old one. ${this.status}`);
    return begun;
  }

  /** Where the person wants to look, which may not have come yet. */
  get wanted() {
    return this.#wanted ?? this.ply;
  }

  async look(ply: number) {
    if (ply === this.play.moves.length) {
      this.#wanted = null;
      this.past = null;
      return;
    }
    const { signal } = this.#work;
    this.#wanted = ply;
    await this.#attempt(signal, async () => {
      const table = await api.position({ ...this.play, moves: this.play.moves.slice(0, ply) }, signal);
      // Whoever is quick has gone on meanwhile.
      if (this.#wanted === ply) this.past = { ply, table };
    });
  }

  async ask() {
    const signal = this.#fresh();
    const timer = this.#patience(signal);
    await this.#attempt(signal, async () => {
      const hint = await api.hint(this.play, signal);
      signal.throwIfAborted();
      this.hint = hint;
      this.say(`Hint: ${hint.words}.`);
    });
    clearTimeout(timer);
    if (!signal.aborted) this.slow = false;
  }

  /** Nobody is at the table any more. */
  leave() {
    this.#work.abort();
  }
}
