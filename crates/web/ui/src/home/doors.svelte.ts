// The door Breed: starts a training with one click and goes to its page.
import { breed } from '../lib/breed';
import { go } from '../lib/router.svelte';
import { sentence } from '../lib/words';
import { runAddress } from '../runs/states';

/** The experiment that is solved within seconds. */
const FIRST = 'nim-2x4';

export class BreedDoor {
  starting = $state(false);
  refused = $state<string | null>(null);

  async open() {
    if (this.starting) return;
    this.starting = true;
    this.refused = null;
    try {
      go(runAddress(await breed(FIRST)));
    } catch (error) {
      this.refused = sentence(error);
    }
    this.starting = false;
  }
}
