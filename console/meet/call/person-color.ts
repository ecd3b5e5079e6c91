/** Colors behind initials: easy to tell apart, and dark enough for white letters (4.5:1). */
export const personFills = [
  "#3b5bb5",
  "#1c7a44",
  "#96490d",
  "#8a3b8f",
  "#0f6e7c",
  "#a3324f",
] as const;

/** A person's color, by its index: the same on every page and in recordings. */
export const personColor = (peerId: string): number =>
  [...peerId].reduce((all, letter) => (all * 31 + letter.charCodeAt(0)) % 9973, 7) %
  personFills.length;

/** The color behind a person's initials. */
export const personFill = (peerId: string): string =>
  personFills[personColor(peerId)] ?? personFills[0];

/** The color of a person's name on the page, in the current scheme. */
export const personInk = (peerId: string): string => `var(--parley-person-${personColor(peerId)})`;
