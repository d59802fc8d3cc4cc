// The door Breed: starts a training with one click and goes to its page.
import { breed } from '../lib/breed';
import { go } from '../lib/router.svelte';
import { Sending } from '../lib/sending.svelte';
import { runAddress } from '../runs/states';

/** The experiment that is solved within seconds. */
const FIRST = 'nim-2x4';

export class BreedDoor {
  readonly sending = new Sending();

  open() {
    return this.sending.send(async () => go(runAddress(await breed(FIRST))));
  }
}
