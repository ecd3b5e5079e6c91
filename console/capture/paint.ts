import { FRAMES, type PictureSize } from "../../contract/meetings/capture-socket.ts";
import { paint } from "./brush.ts";
import type { Reception } from "./receive.ts";
import { type Scene, sceneOf, speakerOf } from "./scene.ts";
import { follow, type ReceivedTrack } from "./tracks.ts";

/** Shorter speech does not take over the large picture. */
const PATIENCE = 1_500;

/**
 * The elements that play the pictures. Each has the size of its place in the recording, because the
 * engine's client requests pictures in an element's size; the stage itself is displayed very small,
 * because only the canvas matters.
 */
const openElements = ({ width, height }: PictureSize) => {
  const stage = document.createElement("div");
  stage.className = "stage";
  stage.style.width = `${width}px`;
  stage.style.height = `${height}px`;
  stage.style.transform = `scale(${Math.min(innerWidth / width, innerHeight / height)})`;
  document.body.append(stage);
  const kept = follow(
    ({ attach }: ReceivedTrack) => {
      const element = document.createElement("video");
      element.autoplay = true;
      element.playsInline = true;
      stage.append(element);
      const detach = attach(element);
      element.muted = true;
      return { element, detach };
    },
    ({ element, detach }) => {
      detach();
      element.remove();
    },
  );
  return {
    settle: ({ shown }: Scene): void => {
      kept.settle(shown.flatMap(({ picture }) => picture ?? []));
      for (const { picture, box } of shown) {
        const element = picture && kept.get(picture.key)?.element;
        if (element === undefined) continue;
        element.style.left = `${box.x}px`;
        element.style.top = `${box.y}px`;
        element.style.width = `${box.width}px`;
        element.style.height = `${box.height}px`;
      }
    },
    get: (key: string) => kept.get(key)?.element,
  };
};

/** Paints the picture of a meeting repeatedly. */
export const paintMeeting = (meeting: Reception, size: PictureSize): MediaStream => {
  const canvas = document.createElement("canvas");
  canvas.width = size.width;
  canvas.height = size.height;
  // Painted by the processor: most servers have no graphics card.
  const pen = canvas.getContext("2d", { alpha: false, willReadFrequently: true });
  if (pen === null) throw new Error("This browser has no canvas.");
  const elements = openElements(size);
  let speaker: string | undefined;
  let since = Number.NEGATIVE_INFINITY;
  let scene: Scene;

  const settle = (): void => {
    const arriving = meeting.get();
    const peers = arriving.view?.peers ?? [];
    const next = speakerOf(peers, arriving.speaking, speaker);
    const isThere = peers.some(({ peerId }) => peerId === speaker);
    if (next !== speaker && (!isThere || performance.now() - since > PATIENCE)) {
      speaker = next;
      since = performance.now();
    }
    scene = sceneOf(arriving, speaker, size);
    elements.settle(scene);
  };
  meeting.subscribe(settle);
  settle();
  // Lets a waiting speaker take over the large picture although nothing else changes.
  setInterval(settle, PATIENCE / 3);

  const draw = (): void => paint(pen, size, scene, elements.get);
  draw();
  setInterval(draw, 1000 / FRAMES);
  return canvas.captureStream(FRAMES);
};
