interface Shape {
  readonly width: number;
  readonly height: number;
}

/**
 * Whether a picture is shown whole, with a border beside it, because filling its place would cut off more than a
 * third. So it is with an upright phone in a wide tile.
 */
export const isShownWhole = (picture: Shape, place: Shape): boolean => {
  const [of, into] = [picture.width * place.height, place.width * picture.height];
  return 3 * Math.min(of, into) < 2 * Math.max(of, into);
};
