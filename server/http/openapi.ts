import { z } from "zod";
import { operations } from "../../contract/index.ts";
import type { Operation } from "../../contract/operation.ts";
import { type Code, texts } from "../../contract/texts.ts";

type Json = Record<string, unknown>;

const schemaOf = (schema: z.ZodType, io: "input" | "output"): Json => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    target: "draft-2020-12",
    io,
    unrepresentable: "any",
  }) as Json;
  return json;
};

const content = (schema: Json) => ({ "application/json": { schema } });
const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const errors = {
  type: "array",
  description: "For bad input: every field that was wrong.",
  items: {
    type: "object",
    properties: { field: { type: "string" }, message: { type: "string" } },
    required: ["field", "message"],
  },
};

const failure = (properties: Json): Json => ({
  type: "object",
  properties: { ...properties, code: { enum: Object.keys(texts) }, errors },
  required: [...Object.keys(properties), "code"],
});
const text = { type: "string" };
const no = { const: false };

/** The shapes of a failure body, by the names of `FailureShape`. */
const failures = {
  message: failure({ success: no, message: text }),
  "typed message": failure({ type: text, success: no, message: text }),
  "typed error": failure({ type: text, success: no, error: text }),
  authToken: failure({
    authToken: {
      type: "object",
      properties: { ok: no, message: text },
      required: ["ok", "message"],
    },
  }),
};
const nameOf = (shape: keyof typeof failures): string =>
  `Failure${shape.replace(/(?:^| )(.)/g, (_, letter: string) => letter.toUpperCase())}`;

/** What every operation may answer beside its own refusals. */
const common = ({ access, in: where, fault }: Operation): Code[] => [
  ...(where === "nothing" ? [] : (["invalid_input"] as const)),
  ...(access === "anyone" ? [] : (["unauthorized"] as const)),
  ...(access === "administrator" ? (["not_allowed"] as const) : []),
  ...(where === "body" ? (["body_too_large", "unsupported_media_type"] as const) : []),
  fault?.code ?? "unavailable",
];

const failuresOf = (operation: Operation): Json => {
  const codes = [...new Set([...operation.refusals, ...common(operation)])];
  const byStatus = Map.groupBy(codes, (code) => texts[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, some]) => [
      String(status),
      {
        description: some.map((code) => `\`${code}\`: ${texts[code].text}`).join("\n\n"),
        content: content(reference(nameOf(operation.failure))),
      },
    ]),
  );
};

const parametersOf = (operation: Operation): Json[] => {
  const { properties = {}, required = [] } = schemaOf(operation.input, "input") as {
    readonly properties?: Record<string, Json>;
    readonly required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: operation.in,
    required: operation.in === "path" || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema,
  }));
};

const entityTag = { type: "string", examples: ['"q0bV3cQ7y3cYqSxqS4xwVA"'] };

const ifMatch = {
  name: "If-Match",
  in: "header",
  required: false,
  description:
    "The `ETag` of what you loaded. The edit is made only if nothing changed since; otherwise it fails with 412.",
  schema: entityTag,
};

/** The header with the version of what was answered. */
const headersOf = ({ tagged }: Operation): Json =>
  tagged === undefined
    ? {}
    : {
        headers: {
          ETag: {
            description:
              tagged === "always"
                ? "The version of what is answered, for `If-Match`."
                : "The version of the person, for `If-Match`, where one ID was sent.",
            schema: entityTag,
          },
        },
      };

const describe = (operation: Operation): Json => {
  const { in: where, otherStatus, conditional } = operation;
  const answer = { content: content(schemaOf(operation.reply, "output")), ...headersOf(operation) };
  const parameters = [
    ...(where === "path" || where === "query" ? parametersOf(operation) : []),
    ...(conditional ? [ifMatch] : []),
  ];
  return {
    operationId: operation.id,
    tags: [operation.group],
    summary: operation.summary,
    ...(operation.access === "anyone" ? { security: [] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(where === "body"
      ? { requestBody: { required: true, content: content(schemaOf(operation.input, "input")) } }
      : {}),
    responses: {
      [operation.status]: { description: "Success", ...answer },
      ...(otherStatus
        ? { [otherStatus.status]: { description: otherStatus.when, ...answer } }
        : {}),
      ...failuresOf(operation),
    },
  };
};

const pathOf = ({ path }: Operation): string => path.replace(/:(\w+)/g, "{$1}");

/** The interface as an OpenAPI 3.1 document, made from the contract. */
export const openApiDocument = (version: string): Json => {
  const all = Object.values(operations) as readonly Operation[];
  return {
    openapi: "3.1.0",
    info: {
      title: "Parley",
      version,
      description:
        "Administration of rooms and people. Exchange an access key (`getAuthToken`) or sign in (`signIn`) for a token, and send it as `Authorization: Bearer <token>`. Fields that nobody knows are ignored and named in the answer's header `Parley-Ignored`.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    security: [{ bearer: [] }],
    tags: [...new Set(all.map(({ group }) => group))].map((name) => ({ name })),
    paths: Object.fromEntries(
      [...Map.groupBy(all, pathOf)].map(([path, some]) => [
        path,
        Object.fromEntries(some.map((one) => [one.method.toLowerCase(), describe(one)])),
      ]),
    ),
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
      schemas: Object.fromEntries(
        Object.entries(failures).map(([shape, schema]) => [
          nameOf(shape as keyof typeof failures),
          schema,
        ]),
      ),
    },
  };
};
