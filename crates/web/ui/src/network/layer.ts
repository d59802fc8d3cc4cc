// Keeps the painted network as a picture that is a little larger than the visible part. While the visitor drags, only the
// picture moves, so that networks with thousands of edges follow the pointer smoothly.
import { paint, type Colours, type Scene, type View } from './paint';

/** How far the picture goes beyond the visible part on each side, in pixels. */
const MARGIN = 240;

/** Everything that decides the picture, except the camera's position. */
const paintInputs = (scene: Scene, { camera, width, height, values, marked }: View, colours: Colours) => [scene, colours, values, marked, width, height, camera.zoom, devicePixelRatio];

export class Layer {
  readonly #canvas = document.createElement('canvas');
  #painted: unknown[] = [];
  /** The camera's position when the picture was painted. */
  #at = { x: 0, y: 0 };

  /** Draws the picture on the visible canvas, and paints it again if necessary. */
  show(context: CanvasRenderingContext2D, scene: Scene, view: View, colours: Colours) {
    const { camera } = view;
    const wanted = paintInputs(scene, view, colours);
    const far = Math.max(Math.abs(camera.x - this.#at.x), Math.abs(camera.y - this.#at.y)) > MARGIN;
    if (far || wanted.some((part, place) => part !== this.#painted[place])) {
      this.#painted = wanted;
      this.#at = camera;
      this.#paint(scene, view, colours);
    }
    const { width, height } = this.#canvas;
    context.clearRect(0, 0, view.width, view.height);
    context.drawImage(this.#canvas, camera.x - this.#at.x - MARGIN, camera.y - this.#at.y - MARGIN, width / devicePixelRatio, height / devicePixelRatio);
  }

  #paint(scene: Scene, view: View, colours: Colours) {
    const ratio = devicePixelRatio;
    // Setting the size also clears the canvas.
    this.#canvas.width = Math.ceil((view.width + 2 * MARGIN) * ratio);
    this.#canvas.height = Math.ceil((view.height + 2 * MARGIN) * ratio);
    const context = this.#canvas.getContext('2d');
    context?.setTransform(ratio, 0, 0, ratio, MARGIN * ratio, MARGIN * ratio);
    if (context) paint(context, scene, view, colours, MARGIN);
  }
}
