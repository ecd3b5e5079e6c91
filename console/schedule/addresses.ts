import { email } from "../../contract/kit/fields.ts";

const address = email();

/** Whether a text is an email address that can be invited. */
export const isAddress = (text: string): boolean => address.safeParse(text).success;

/** A name with its address, as mail programs write it: `Lee, Ann <ann@example.org>`. */
const NAMED = /<\s*([^<>\s]+@[^<>\s]+)\s*>/g;

/** The addresses of a typed or pasted list, and what in it is none. */
export const addressesIn = (
  text: string,
): { readonly emails: readonly string[]; readonly others: readonly string[] } => {
  const named = [...text.matchAll(NAMED)].flatMap(([, one]) => one ?? []);
  const words = text.replaceAll(NAMED, " ").split(/[\s,;]+/);
  // Beside names with addresses, the other words are the names.
  const all = [
    ...named,
    ...words.filter((word) => word !== "" && (!named.length || word.includes("@"))),
  ];
  return { emails: all.filter(isAddress), others: all.filter((one) => !isAddress(one)) };
};
