// Elo as text. It has no bound if all games were won or lost.
import { formatValue } from './curves';

type Maybe = number | null;

export const elo = (value: Maybe) => (value === null ? 'unbounded' : formatValue(value, 'elo'));
export const interval = (low: Maybe, high: Maybe) => `${low === null ? '−∞' : formatValue(low, 'elo')} to ${high === null ? '+∞' : formatValue(high, 'elo')}`;
