const rules = new Intl.PluralRules("en");
const numbers = new Intl.NumberFormat("en");

/** A number with its noun: `counted(1, "room", "rooms")` is "1 room". */
export const counted = (count: number, one: string, other: string): string =>
  `${numbers.format(count)} ${rules.select(count) === "one" ? one : other}`;
