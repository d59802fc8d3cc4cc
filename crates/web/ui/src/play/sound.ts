// Short sounds of a game, made by the browser itself. They are off until the visitor turns them on.

const KEY = 'play-sound';

/** A tone: its frequency in hertz, when it begins and how long it lasts, in seconds. */
type Tone = [frequency: number, begin: number, length: number];

const SOUNDS = {
  move: [[320, 0, 0.07]],
  capture: [[320, 0, 0.06], [210, 0.05, 0.1]],
  won: [[392, 0, 0.14], [523, 0.13, 0.14], [659, 0.26, 0.28]],
  lost: [[330, 0, 0.16], [262, 0.15, 0.32]],
  drawn: [[330, 0, 0.16], [330, 0.2, 0.2]],
} satisfies Record<string, Tone[]>;

export type Sound = keyof typeof SOUNDS;

let context: AudioContext | null = null;

export const soundWanted = () => localStorage.getItem(KEY) === 'yes';
export const wantSound = (yes: boolean) => localStorage.setItem(KEY, yes ? 'yes' : 'no');

/** Plays a sound if the visitor wants sounds. */
export function play(sound: Sound) {
  if (!soundWanted()) return;
  context ??= new AudioContext();
  const begin = context.currentTime;
  for (const [frequency, wait, length] of SOUNDS[sound] as Tone[]) {
    const tone = new OscillatorNode(context, { type: 'triangle', frequency });
    const volume = new GainNode(context, { gain: 0.16 });
    volume.gain.setValueAtTime(0.16, begin + wait);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + wait + length);
    tone.connect(volume).connect(context.destination);
    tone.start(begin + wait);
    tone.stop(begin + wait + length);
  }
}
