import assert from "node:assert/strict";
import type { Ask } from "../world/ask.ts";
import { until } from "../world/process.ts";
import type { Sink, SunkLetter } from "../world/sink.ts";

/** Decodes HTML text in which only the five special characters are escaped. */
export const unescapeHtml = (html: string): string =>
  html
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");

/** The only letters to an address, once there are this many. */
export const lettersTo = async (
  sink: Sink,
  address: string,
  many = 1,
): Promise<readonly SunkLetter[]> => {
  const found = () => sink.letters.filter(({ to }) => to.includes(address));
  await sink.waitFor(() => found().length >= many);
  assert.equal(found().length, many);
  return found();
};

export const letterTo = async (sink: Sink, address: string): Promise<SunkLetter> =>
  (await lettersTo(sink, address))[0] ?? assert.fail();

/** The addresses to which the HTML part links, as a browser reads them. */
export const linksOf = ({ parsed }: SunkLetter): string[] =>
  [...(parsed.html ?? "").matchAll(/href="([^"]*)"/g)].map(([, href]) => unescapeHtml(href ?? ""));

// biome-ignore lint/suspicious/noExplicitAny: a test reads any field, and fails if it is missing
type Shown = any;

/** A letter's entry in the list, once it is in the given state. */
export const letterIn = async (ask: Ask, userId: string, state: string, kind = "welcome") => {
  const found: Shown[] = [];
  await until(`the letter of ${userId} is ${state}`, async () => {
    const letters: readonly Shown[] = (await ask("GET /api/letter?limit=100")).body.letters;
    found.push(...letters.filter((one) => one.userId === userId && one.kind === kind));
    return found.at(-1)?.state === state;
  });
  return found.at(-1) ?? assert.fail();
};
