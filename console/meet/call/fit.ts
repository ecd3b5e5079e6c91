/** How equal tiles fill a space. */
export interface Fit {
  readonly width: number;
  readonly height: number;
  /** How many fit on a page. */
  readonly perPage: number;
}

interface Space {
  readonly width: number;
  readonly height: number;
  readonly gap: number;
  /** The aspect ratio of a tile. */
  readonly ratio: number;
  /** Below this width, faces are unrecognizable. */
  readonly narrowest: number;
}

/** More tiles on one page are too many to look at, and to receive. */
const MOST = 25;

const widthFor = (count: number, columns: number, { width, height, gap, ratio }: Space) => {
  const rows = Math.ceil(count / columns);
  const byWidth = (width - gap * (columns - 1)) / columns;
  const byHeight = ((height - gap * (rows - 1)) / rows) * ratio;
  return Math.floor(Math.min(byWidth, byHeight));
};

/** From this number on, tiles in a tall space are side by side: one column of them would be a ladder. */
const SIDE_BY_SIDE = 4;

const leastColumns = (count: number, { width, height, gap, narrowest }: Space): number =>
  count >= SIDE_BY_SIDE && height > width && (width - gap) / 2 >= narrowest ? 2 : 1;

const widest = (count: number, space: Space): number => {
  const least = leastColumns(count, space);
  const widths = Array.from({ length: count }, (_, index) => widthFor(count, index + 1, space));
  return Math.max(...widths.slice(least - 1));
};

/** The aspect ratio of equal tiles; both shapes cut less than a third off a wide camera's picture. */
export const ratioIn = ({ width, height }: Pick<Space, "width" | "height">): number =>
  height > width ? 6 / 5 : 16 / 9;

/** The largest tiles for this number; if they would be too small, fewer on a page. */
export const fitTiles = (count: number, space: Space): Fit => {
  // In a low window a tile alone would not be wider.
  const narrowest = Math.min(space.narrowest, Math.floor(space.height * space.ratio));
  for (let perPage = Math.min(count, MOST); ; perPage -= 1) {
    const width = widest(Math.max(perPage, 1), space);
    if (width >= narrowest || perPage <= 1) {
      return { width, height: Math.floor(width / space.ratio), perPage: Math.max(perPage, 1) };
    }
  }
};

interface Shape {
  readonly width: number;
  readonly height: number;
}

/**
 * Returns whether a picture is shown whole, with a border beside it, because filling its place
 * would cut off more than a third. So it is with an upright phone in a wide tile.
 */
export const isShownWhole = (picture: Shape, place: Shape): boolean => {
  const [of, into] = [picture.width * place.height, place.width * picture.height];
  return 3 * Math.min(of, into) < 2 * Math.max(of, into);
};
