// A network is painted once, somewhat beyond what is seen, and only moved as long as it only moves: so thousands of edges
// follow the hand.
import { paint, type Colours, type Scene, type Sight } from './paint';

/** How far beyond what is seen, in pixels. */
const BEYOND = 240;

/** Whatever decides what is painted, but for where the camera is. */
const look = (scene: Scene, { camera, width, height, values, marked }: Sight, colours: Colours) => [scene, colours, values, marked, width, height, camera.zoom, devicePixelRatio];

export class Layer {
  readonly #canvas = document.createElement('canvas');
  #painted: unknown[] = [];
  /** Where the camera was. */
  #at = { x: 0, y: 0 };

  /** Shows it on another canvas. */
  show(context: CanvasRenderingContext2D, scene: Scene, sight: Sight, colours: Colours) {
    const { camera } = sight;
    const wanted = look(scene, sight, colours);
    const far = Math.max(Math.abs(camera.x - this.#at.x), Math.abs(camera.y - this.#at.y)) > BEYOND;
    if (far || wanted.some((part, place) => part !== this.#painted[place])) {
      this.#painted = wanted;
      this.#at = camera;
      this.#paint(scene, sight, colours);
    }
    const { width, height } = this.#canvas;
    context.clearRect(0, 0, sight.width, sight.height);
    context.drawImage(this.#canvas, camera.x - this.#at.x - BEYOND, camera.y - this.#at.y - BEYOND, width / devicePixelRatio, height / devicePixelRatio);
  }

  #paint(scene: Scene, sight: Sight, colours: Colours) {
    const ratio = devicePixelRatio;
    // Setting a size clears it, too.
    this.#canvas.width = Math.ceil((sight.width + 2 * BEYOND) * ratio);
    this.#canvas.height = Math.ceil((sight.height + 2 * BEYOND) * ratio);
    const context = this.#canvas.getContext('2d');
    context?.setTransform(ratio, 0, 0, ratio, BEYOND * ratio, BEYOND * ratio);
    if (context) paint(context, scene, sight, colours, BEYOND);
  }
}
