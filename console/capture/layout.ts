import type { PictureSize } from "../../contract/meetings/capture-socket.ts";

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Where everything in the picture is. */
export interface Layout {
  /** A shared screen, or the speaker. */
  readonly large: Box | undefined;
  /** The other people, as many as fit. */
  readonly tiles: readonly Box[];
  /** Replaces the last tile: how many more people there are. */
  readonly more: Box | undefined;
}

/** The measures of a picture of 1080 lines, in its pixels. */
const MARGIN = 24;
const GAP = 16;
const WIDE = 16 / 9;
/** The share of the width for the column beside the large picture. */
const COLUMN = 0.21;

/**
 * Places one large picture and the others in a column beside it. One person alone fills the picture, and two
 * people without a shared screen get equal halves.
 *
 * @param others how many there are besides the large one
 */
export const arrange = (
  { width, height }: PictureSize,
  { isScreen, others }: { readonly isScreen: boolean; readonly others: number },
): Layout => {
  const unit = height / 1080;
  const [margin, gap] = [MARGIN * unit, GAP * unit];
  const [inner, tall] = [width - 2 * margin, height - 2 * margin];
  const whole = { x: margin, y: margin, width: inner, height: tall };
  if (others === 0) return { large: whole, tiles: [], more: undefined };
  if (others === 1 && !isScreen) {
    const half = (inner - gap) / 2;
    const box = { y: (height - half * 0.8) / 2, width: half, height: half * 0.8 };
    const second = { ...box, x: margin + half + gap };
    return { large: { ...box, x: margin }, tiles: [second], more: undefined };
  }
  const column = width * COLUMN;
  const tile = column / WIDE;
  const room = Math.max(1, Math.floor((tall + gap) / (tile + gap)));
  const shown = Math.min(others, room);
  const top = (height - (shown * (tile + gap) - gap)) / 2;
  const boxes = Array.from({ length: shown }, (_, index) => ({
    x: width - margin - column,
    y: top + index * (tile + gap),
    width: column,
    height: tile,
  }));
  return {
    large: { ...whole, width: inner - column - gap },
    tiles: others > room ? boxes.slice(0, -1) : boxes,
    more: others > room ? boxes.at(-1) : undefined,
  };
};

/** The part of a picture that fills a box of another shape, or the box into which the whole picture fits. */
export const fill = (from: PictureSize, to: PictureSize): Box => {
  const scale = Math.max(to.width / from.width, to.height / from.height);
  const [width, height] = [to.width / scale, to.height / scale];
  return { x: (from.width - width) / 2, y: (from.height - height) / 2, width, height };
};

export const fit = (from: PictureSize, to: Box): Box => {
  const scale = Math.min(to.width / from.width, to.height / from.height);
  const [width, height] = [from.width * scale, from.height * scale];
  return { x: to.x + (to.width - width) / 2, y: to.y + (to.height - height) / 2, width, height };
};
