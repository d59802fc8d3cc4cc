// Starts a training of a shipped experiment, as it is.
import { api } from './api';

/** Returns the name of the new run. */
export async function breed(experiment: string): Promise<string> {
  const { toml } = await api.experiment(experiment);
  return (await api.train({ experiment, toml, name: null })).name;
}
