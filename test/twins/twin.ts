import { registerHooks } from "node:module";
import type { Route } from "../../server/http/route.ts";
import type * as Main from "../../server/main.ts";
import type { OperationId } from "../world/ask.ts";

/*
 * A twin is the product with one thing wrong: the same sources, an export or a few lines of which
 * are replaced as they are loaded. It shows that a checker finds what it is there to find. Nothing
 * of it is in the product; where what is replaced is no longer there, making the twin fails and
 * says so.
 */

/** An export of a module, as every other module of the twin imports it. */
export interface ReplacedExport {
  /** The file below server/. */
  readonly file: string;
  readonly export: string;
  /**
   * Makes the export from the real one, or promises it. Its text runs in the twin: it sees nothing
   * around it, and imports what it needs.
   */
  readonly by: ((real: never) => unknown) | string;
}

/** Lines of a source file and what stands there in the twin: for what no export is about. */
export interface ReplacedLines {
  readonly file: string;
  readonly lines: string;
  readonly by: string;
}

export type Replacement = ReplacedExport | ReplacedLines;

/** A product with one thing wrong, and which. */
export interface Twin {
  readonly name: string;
  readonly replaced: readonly Replacement[];
}

const server = new URL("../../server/", import.meta.url).href;
const twins = new Map<string, Twin>();
/** The twin that a whole process is. Its modules keep their addresses, and with them what Node has compiled. */
let only: string | undefined;
let hooked = false;

const nameIn = (url: string | undefined): string | undefined =>
  url === undefined ? undefined : (new URL(url).searchParams.get("twin") ?? only);

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
      const mine = twins.get(name)?.replaced.filter(({ file }) => file === path) ?? [];
      const exports = mine.filter((one) => "export" in one);
      if (exports.length > 0 && !new URL(url).searchParams.has(REAL)) {
        return { format: "module", source: withExports(url, exports), shortCircuit: true };
      }
      const loaded = next(url, context);
      const lines = mine.filter((one) => "lines" in one);
      if (lines.length === 0) return loaded;
      return { ...loaded, source: withLines(name, path, String(loaded.source), lines) };
    },
  });
};

/** In the address of the module that stands behind one with replaced exports. */
const REAL = "real";

/** A module that has the exports of the real one, but for those that are replaced. */
const withExports = (url: string, exports: readonly ReplacedExport[]): string => {
  const address = new URL(url);
  address.searchParams.set(REAL, "");
  const real = JSON.stringify(address.href);
  // An export that stands here hides the one of the same name from there.
  return exports.reduce(
    (text, { export: name, by }) =>
      `${text}import { ${name} as real_${name} } from ${real};
export const ${name} = await (${by})(real_${name});
`,
    `export * from ${real};\n`,
  );
};

const withLines = (
  name: string,
  path: string,
  source: string,
  replaced: readonly ReplacedLines[],
): string =>
  replaced.reduce((text, { lines, by }) => {
    // However the lines are broken and indented today.
    const pattern = lines.trim().split(/\s+/).map(RegExp.escape).join("\\s+");
    const standing = new RegExp(pattern, "g");
    if (!standing.test(text)) {
      throw new Error(`The twin "${name}" cannot be made: server/${path} no longer has\n${lines}`);
    }
    return text.replace(standing, () => by);
  }, source);

/** Puts something around the handler of one operation. */
export const around = (
  id: OperationId,
  by: (real: Route["handle"]) => Route["handle"],
): ReplacedExport => ({
  file: "http/routes.ts",
  export: "routesOf",
  by: `(real) => (service) => real(service).map((route) => route.operation.id === "${id}"
    ? { ...route, handle: (${by})(route.handle) } : route)`,
});

/** A twin as text, for a process of its own. */
export const twinAsText = (twin: Twin): string =>
  JSON.stringify(twin, (_, value) => (typeof value === "function" ? String(value) : value));

const know = (twin: Twin): void => {
  const known = twins.get(twin.name);
  if (known !== undefined && twinAsText(known) !== twinAsText(twin)) {
    throw new Error(`Two twins have the name "${twin.name}".`);
  }
  twins.set(twin.name, twin);
  hook();
};

/** A module of the server, as it is in a twin. @param file below server/ */
export const importFrom = async <Module>(twin: Twin, file: string): Promise<Module> => {
  know(twin);
  return import(`${server}${file}?twin=${encodeURIComponent(twin.name)}`);
};

/** The service's entry with a twin's lines in it. */
export const importTwin = (twin: Twin): Promise<typeof Main> => importFrom(twin, "main.ts");

/** Makes this process a twin: whatever it loads of the server from now on is the twin's. */
export const becomeTwin = (twin: Twin): void => {
  know(twin);
  only = twin.name;
};
