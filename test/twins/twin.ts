import { registerHooks } from "node:module";
import type { Route } from "../../server/http/route.ts";
import type * as Main from "../../server/main.ts";
import type { OperationId } from "../world/ask.ts";

/*
 * A twin is the product with one defect: the same sources, with an export or a few lines replaced as they are
 * loaded. It shows that a check detects what it is supposed to detect. The product contains nothing of it; if
 * the replaced code no longer exists, creating the twin fails with an error.
 */

/** An export of a module, as every other module of the twin imports it. */
export interface ReplacedExport {
  /** The file below server/. */
  readonly file: string;
  readonly export: string;
  /**
   * Makes the export from the real one, or a promise of it. Its text runs in the twin: it has no access to
   * variables around it, and imports what it needs.
   */
  readonly by: ((real: never) => unknown) | string;
}

/** Lines of a source file and their replacement in the twin: for defects that no export covers. */
export interface ReplacedLines {
  readonly file: string;
  readonly lines: string;
  readonly by: string;
}

export type Replacement = ReplacedExport | ReplacedLines;

/** A product with one defect, and a description of the defect. */
export interface Twin {
  readonly name: string;
  readonly replaced: readonly Replacement[];
}

/** The real service, or a twin of it, with something more replaced. */
export const withReplaced = (twin: Twin | undefined, what: string, more: Replacement): Twin => ({
  name: `${twin?.name ?? "as it is"}, ${what}`,
  replaced: [...(twin?.replaced ?? []), more],
});

const server = new URL("../../server/", import.meta.url).href;
const twins = new Map<string, Twin>();
/**
 * The twin that this whole process is. Its modules keep their addresses, and so the code that Node has
 * compiled.
 */
let only: string | undefined;
let hooked = false;

const nameIn = (url: string | undefined): string | undefined =>
  url === undefined ? undefined : (new URL(url).searchParams.get("twin") ?? only);

/** Every server module that a module of a twin imports belongs to the twin. */
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

/** Marks the address of the real module behind one with replaced exports. */
const REAL = "real";

/** A module with the exports of the real one, except for those that are replaced. */
const withExports = (url: string, exports: readonly ReplacedExport[]): string => {
  const address = new URL(url);
  address.searchParams.set(REAL, "");
  const real = JSON.stringify(address.href);
  // An export defined here hides the one with the same name from the real module.
  return exports.reduce(
    (text, { export: name, by }) =>
      `${text}import { ${name} as real_${name} } from ${real};
export const ${name} = await (${by})(real_${name});
`,
    `export * from ${real};\n`,
  );
};

/** Finds lines in a source file, however they are currently broken and indented. */
export const standingLines = (lines: string): RegExp =>
  new RegExp(lines.trim().split(/\s+/).map(RegExp.escape).join("\\s+"), "g");

const withLines = (
  name: string,
  path: string,
  source: string,
  replaced: readonly ReplacedLines[],
): string =>
  replaced.reduce((text, { lines, by }) => {
    const standing = standingLines(lines);
    if (!standing.test(text)) {
      throw new Error(`The twin "${name}" cannot be made: server/${path} no longer has\n${lines}`);
    }
    return text.replace(standing, () => by);
  }, source);

/** Wraps the handler of one operation. */
export const around = (
  id: OperationId,
  by: (real: Route["handle"]) => Route["handle"],
): ReplacedExport => ({
  file: "http/routes.ts",
  export: "routesOf",
  by: `(real) => (service) => real(service).map((route) => route.operation.id === "${id}"
    ? { ...route, handle: (${by})(route.handle) } : route)`,
});

/** A twin as text, for a separate process. */
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

/** A module of the server, as it is in a twin if one is given. @param file below server/ */
export const importFrom = async <Module>(twin: Twin | undefined, file: string): Promise<Module> => {
  if (twin === undefined) return import(`${server}${file}`);
  know(twin);
  return import(`${server}${file}?twin=${encodeURIComponent(twin.name)}`);
};

/** The service's entry point, with a twin's lines in it. */
export const importTwin = (twin: Twin): Promise<typeof Main> => importFrom(twin, "main.ts");

/** Makes this process a twin: every server module that it loads from now on is the twin's. */
export const becomeTwin = (twin: Twin): void => {
  know(twin);
  only = twin.name;
};
