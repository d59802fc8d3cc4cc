// The list of measures. The server owns it.
import { about } from './about';
import type { Measure } from './api';

/** All measures, in the order in which they are shown. */
export const measures = async (): Promise<Measure[]> => (await about()).measures;
