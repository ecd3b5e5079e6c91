import { z } from "zod";
import type { Operations } from "../index.ts";
import type { Operation } from "../kit/operation.ts";
import { answerFields } from "./answer-fields.ts";
import { commonFields, type Meanings } from "./kit.ts";

/*
 * The schemas of operations as JSON schemas, for the OpenAPI document and the reference. Neither the client nor
 * the console imports this file.
 */

/** The parts of a JSON schema that are used. */
export interface Schema {
  /** The name of the type in the client, if it has one. */
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  /** The words of which a text joins several by commas. */
  readonly joined?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  /** The additional properties that an object may have, if any. */
  readonly additionalProperties?: unknown;
  readonly description?: string;
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** The side of a schema: what a client sends (input) or receives (output). */
export const schemaOf = (schema: z.ZodType, io: "input" | "output"): Schema => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      if (io === "input") return;
      // The integers that JavaScript has: what is larger is refused, and never answered.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  return json as Schema;
};

/** A schema with the meanings of its fields, at every depth. */
const withMeanings = (schema: Schema, meanings: Meanings): Schema => {
  const { properties, items, anyOf } = schema;
  const meant = ([name, field]: [string, Schema]) => {
    const meaning = meanings[name];
    if (meaning === undefined) return [name, field];
    if (typeof meaning === "string") return [name, { ...field, description: meaning }];
    return [name, { ...withMeanings(field, meaning.fields), description: meaning.is }];
  };
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(Object.entries(properties).map(meant)) }),
    ...(items && { items: withMeanings(items, meanings) }),
    ...(anyOf && { anyOf: anyOf.map((one) => withMeanings(one, meanings)) }),
  };
};

/** An operation's success, with the meaning of every field. */
export const answerOf = ({ id, reply }: Operation): Schema =>
  withMeanings(schemaOf(reply, "output"), {
    ...commonFields,
    ...answerFields[id as keyof Operations],
  });
