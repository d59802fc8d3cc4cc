// The names of strategies for people. The server describes each in a sentence; these names fit into lists.
const TITLES: Record<string, string> = {
  enn: 'evolution by mutation',
  neat: 'NEAT: networks that grow',
  series: 'NEAT with series of tournaments',
  ga: 'genetic algorithm',
  blondie: 'evolution as in Blondie24',
  'random-search': 'random search',
  'cma-es': 'CMA-ES: a moving distribution',
  'openai-es': 'evolution strategy of OpenAI',
  td: 'learning from every game, TD(λ)',
  bootstrap: 'learning from its own searches',
};

/** A strategy in a few words; its own name if it is not one of Gamete's. */
export const strategyTitle = (name: string) => TITLES[name] ?? name;

/** The same with the name that experiments use behind it. */
export const strategyNamed = (name: string) => (TITLES[name] === undefined ? name : `${TITLES[name]} (${name})`);
