import type { z } from "zod";

/*
 * Reads a form's properties from the contract's schemas: defaults, limits, and the suitable kind of
 * field. The console repeats none of these.
 */

interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly defaultValue?: unknown;
  readonly element?: z.ZodType;
  readonly entries?: Readonly<Record<string, string>>;
}

const definitionOf = (schema: z.ZodType): Definition => schema.def as unknown as Definition;

/** The schema inside optional, nullable, default and transformed schemas, outermost first. */
const layersOf = (schema: z.ZodType): readonly z.ZodType[] => {
  const { innerType, in: before } = definitionOf(schema);
  const inner = innerType ?? before;
  return inner === undefined ? [schema] : [schema, ...layersOf(inner)];
};

const firstOf = <T>(
  schema: z.ZodType,
  look: (layer: z.ZodType) => T | undefined,
): T | undefined => {
  for (const layer of layersOf(schema)) {
    const found = look(layer);
    if (found !== undefined) return found;
  }
  return undefined;
};

export const defaultOf = (schema: z.ZodType): unknown =>
  firstOf(schema, (layer) => definitionOf(layer).defaultValue);

export const longest = (schema: z.ZodType): number | undefined =>
  firstOf(schema, (layer) => layer.meta()?.maxLength as number | undefined);

export const rangeOf = (schema: z.ZodType): { readonly min?: number; readonly max?: number } => {
  const core = layersOf(schema).at(-1) as z.ZodNumber | undefined;
  return {
    ...(typeof core?.minValue === "number" ? { min: core.minValue } : {}),
    ...(typeof core?.maxValue === "number" ? { max: core.maxValue } : {}),
  };
};

export type Kind =
  | "flag"
  | "number"
  | "choice"
  | "choices"
  | "tags"
  | "moment"
  | "email"
  | "text"
  | "long text";

const LONG = 1_000;

/** The kind of field for a schema. */
export const kindOf = (schema: z.ZodType): Kind => {
  const core = layersOf(schema).at(-1) ?? schema;
  switch (definitionOf(core).type) {
    case "boolean":
      return "flag";
    case "number":
      return "number";
    case "enum":
      return "choice";
    case "array":
      return choiceWords(core).length > 0 ? "choices" : "tags";
    default:
      if ((core as z.ZodString).format === "datetime") return "moment";
      if (firstOf(schema, (layer) => layer.meta()?.format as string | undefined) === "email")
        return "email";
      // A web address may be long too, but stays on one line.
      return (longest(schema) ?? 0) > LONG && longest(schema) !== ADDRESS ? "long text" : "text";
  }
};

/** The longest web address. */
const ADDRESS = 2_048;

/** The words of a choice or of an array of choices. */
export const choiceWords = (schema: z.ZodType): readonly string[] => {
  const core = layersOf(schema).at(-1) ?? schema;
  const { element, entries } = definitionOf(core);
  return element === undefined ? Object.values(entries ?? {}) : choiceWords(element);
};

/** Returns whether null may be sent: the field can be emptied. */
export const mayBeNull = (schema: z.ZodType): boolean =>
  layersOf(schema).some((layer) => definitionOf(layer).type === "nullable");
