import { registerHooks } from "node:module";
import type * as Main from "../../server/main.ts";

/*
 * A twin is the product with one thing wrong: the same sources, a few of their lines replaced as
 * they are loaded. It shows that a checker finds what it is there to find. Nothing of it is in
 * the product; where the lines are no longer there, making the twin fails and says so.
 */

/** Lines of a source file and what stands there in the twin. */
export interface Replacement {
  /** The file below server/. */
  readonly file: string;
  readonly lines: string;
  readonly by: string;
}

/** A product with one thing wrong, and which. */
export interface Twin {
  readonly name: string;
  readonly replaced: readonly Replacement[];
}

const server = new URL("../../server/", import.meta.url).href;
const twins = new Map<string, Twin>();
let hooked = false;

const nameIn = (url: string | undefined): string | undefined =>
  url === undefined ? undefined : (new URL(url).searchParams.get("twin") ?? undefined);

/** Every module of the server that a module of a twin imports belongs to the twin. */
const hook = (): void => {
  if (hooked) return;
  hooked = true;
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      const name = context.parentURL?.startsWith(server) ? nameIn(context.parentURL) : undefined;
      const isOurs = found.url.startsWith(server) && nameIn(found.url) === undefined;
      return name !== undefined && isOurs
        ? { ...found, url: `${found.url}?twin=${encodeURIComponent(name)}` }
        : found;
    },
    load(url, context, next) {
      const name = url.startsWith(server) ? nameIn(url) : undefined;
      if (name === undefined) return next(url, context);
      const path = url.slice(server.length).split("?", 1)[0] ?? "";
      const loaded = next(url, context);
      return { ...loaded, source: replaced(name, path, String(loaded.source)) };
    },
  });
};

const replaced = (name: string, path: string, source: string): string => {
  const mine = twins.get(name)?.replaced.filter(({ file }) => file === path) ?? [];
  return mine.reduce((text, { lines, by }) => {
    // However the lines are broken and indented today.
    const pattern = lines.trim().split(/\s+/).map(RegExp.escape).join("\\s+");
    const standing = new RegExp(pattern, "g");
    if (!standing.test(text)) {
      throw new Error(`The twin "${name}" cannot be made: server/${path} no longer has\n${lines}`);
    }
    return text.replace(standing, () => by);
  }, source);
};

/** The service's entry with a twin's lines in it. */
export const importTwin = async (twin: Twin): Promise<typeof Main> => {
  twins.set(twin.name, twin);
  hook();
  return import(`${server}main.ts?twin=${encodeURIComponent(twin.name)}`);
};
