// Elo in words: where all games were won or lost there is no bound.
import { told } from './curves';

type Maybe = number | null;

export const elo = (value: Maybe) => (value === null ? 'unbounded' : told(value, 'elo'));
export const interval = (low: Maybe, high: Maybe) => `${low === null ? '−∞' : told(low, 'elo')} to ${high === null ? '+∞' : told(high, 'elo')}`;
