import type { z } from "zod";

/** A setting of a room or person: how it is created, edited and answered, and its default. */
export interface Setting<S extends z.ZodType, Edit extends z.ZodType, Shown extends z.ZodType> {
  readonly create: z.ZodDefault<S>;
  readonly edit: z.ZodOptional<Edit>;
  /** The fields of an edit: the values of a create, each optional. */
  readonly sent: z.ZodOptional<S>;
  readonly reply: Shown;
  readonly initial: z.output<S>;
}

/** Wider forms of a setting: what an edit reads and what an answer may show. */
export interface Wider<Edit extends z.ZodType, Shown extends z.ZodType> {
  readonly edit: Edit;
  readonly reply: Shown;
}

export function setting<S extends z.ZodType>(
  schema: S,
  initial: z.output<S>,
  help: string,
): Setting<S, S, S>;
export function setting<S extends z.ZodType, E extends z.ZodType, R extends z.ZodType>(
  schema: S,
  initial: z.output<S>,
  help: string,
  wider: Wider<E, R>,
): Setting<S, E, R>;
export function setting(
  schema: z.ZodType,
  initial: unknown,
  help: string,
  wider: Wider<z.ZodType, z.ZodType> = { edit: schema, reply: schema },
) {
  return {
    create: schema.default(initial as never).describe(help),
    edit: wider.edit.optional().describe(help),
    sent: schema.optional().describe(help),
    reply: wider.reply.describe(help),
    initial,
  };
}

/** A setting that appears neither in the history nor in shared files. */
export const secret = <T extends object>(one: T): T & { readonly secret: true } => ({
  ...one,
  secret: true,
});

/** Returns whether a setting is a list, even if null by default. */
export const isList = ({ create }: { readonly create: z.ZodType }): boolean =>
  create.safeParse([]).success;

type Part = "create" | "edit" | "sent" | "reply";
type Settings = Readonly<Record<string, Readonly<Record<Part, z.ZodType>>>>;

/** One form of every setting in a table, as the shape of an object schema. */
export const shapeOf = <T extends Settings, P extends Part>(table: T, part: P) =>
  Object.fromEntries(Object.entries(table).map(([name, forms]) => [name, forms[part]])) as {
    [K in keyof T]: T[K][P];
  };
