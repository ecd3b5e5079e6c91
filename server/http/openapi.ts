import { setImmediate as nextTurn } from "node:timers/promises";
import { callers, descriptions } from "../../contract/docs/descriptions.ts";
import { examples } from "../../contract/docs/examples.ts";
import { answerOf, type Schema, schemaOf } from "../../contract/docs/json-schema.ts";
import { reasonTable } from "../../contract/docs/reason-examples.ts";
import { type Operations, operations } from "../../contract/index.ts";
import { fieldErrorFields } from "../../contract/kit/field-error.ts";
import type { Operation } from "../../contract/kit/operation.ts";
import { isForKeys, scopeFailures, scopeOf } from "../../contract/kit/scopes.ts";
import { type Code, texts } from "../../contract/kit/texts.ts";
import { failureBody } from "./failures.ts";

type Json = Record<string, unknown>;

/** What the contract's tables say of an operation. */
interface About {
  readonly description: string;
  readonly example: { readonly request?: unknown; readonly answer: unknown };
}
const aboutOf = ({ id }: Operation): About => ({
  description: descriptions[id as keyof Operations],
  example: examples[id as keyof Operations],
});

/** @param types the media types; `more` belongs to the first one */
const content = (
  schema: Json | Schema,
  more: Json = {},
  [first, ...others]: readonly string[] = ["application/json"],
): Json => ({
  [first ?? ""]: { schema, ...more },
  ...Object.fromEntries(others.map((type) => [type, { schema }])),
});
const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** The JSON type of an example. */
const jsonTypeOf = (example: unknown): string =>
  Array.isArray(example) ? "array" : typeof example;

const errors = {
  type: "array",
  description: "For bad input: every field that was wrong.",
  items: reference("FieldError"),
};

/** A reason: one of the table with its values, or the code of a failure. */
const reasonSchema: Json = {
  description: "Why, as a code with its values.",
  oneOf: [
    ...reasonTable.map(({ code, values }) => ({
      type: "object",
      properties: {
        code: { const: code },
        ...Object.fromEntries(
          values.map(({ name, example }) => [
            name,
            { ...(name === "now" ? {} : { type: jsonTypeOf(example) }), examples: [example] },
          ]),
        ),
      },
      required: ["code", ...values.filter(({ optional }) => !optional).map(({ name }) => name)],
    })),
    {
      type: "object",
      properties: { code: { enum: Object.keys(texts) } },
      required: ["code"],
    },
  ],
};

const fieldErrorSchema: Json = {
  allOf: [
    {
      type: "object",
      properties: {
        field: { type: "string", description: "The field, such as `tags[0]`; empty for the body." },
        about: { type: "string", description: fieldErrorFields.about },
        code: { type: "string", description: fieldErrorFields.code },
        message: { type: "string", description: "What is wrong with it, or what is accepted." },
      },
      required: ["field", "code", "message"],
    },
    reference("Reason"),
  ],
};

const failure = (properties: Json): Json => ({
  type: "object",
  properties: {
    ...properties,
    code: { enum: Object.keys(texts), description: "The stable name of the failure." },
    errors,
    reason: {
      ...reference("Reason"),
      description: "Where one code has several texts: the reason from which this text is made.",
    },
  },
  required: [...Object.keys(properties), "code"],
});
const text = { type: "string", description: "What went wrong, for people." };
const type = { type: "string", description: "The name of the answer, as in a success." };
const no = { const: false, description: "Always false." };

/** The shapes of a failure body, by the names of `FailureShape`. */
const failures = {
  message: failure({ success: no, message: text }),
  "typed message": failure({ type, success: no, message: text }),
  "typed error": failure({ type, success: no, error: text }),
  authToken: failure({
    authToken: {
      type: "object",
      description: "Why there is no token.",
      properties: { ok: no, message: text },
      required: ["ok", "message"],
    },
  }),
};
const nameOf = (shape: keyof typeof failures): string =>
  `Failure${shape.replace(/(?:^| )(.)/g, (_, letter: string) => letter.toUpperCase())}`;

/** A request's security: nothing, a token (the document's default), or either. */
const securityOf = ({ access }: Operation): Json => {
  if (access === "anyone") return { security: [] };
  return access === "anyone or token" ? { security: [{}, { bearer: [] }] } : {};
};

/** The failures that every operation shares. */
const shared = (operation: Operation): Code[] => {
  const { access, in: where, fault, changes } = operation;
  const scope = scopeOf(operation);
  return [
    ...(changes ? (["idempotency_running", "idempotency_reused"] as const) : []),
    ...(where === "nothing" ? [] : (["invalid_input"] as const)),
    ...(access === "anyone" ? [] : (["unauthorized"] as const)),
    ...(access === "administrator" ? (["not_allowed"] as const) : []),
    ...(isForKeys(operation) && scope !== "read" ? [scopeFailures[scope]] : []),
    ...(where === "body" ? (["body_too_large", "unsupported_media_type"] as const) : []),
    "too_many_requests",
    fault?.code ?? "unavailable",
    "overloaded",
  ];
};

const exampleOf = (code: Code) => ({ code, text: texts[code].text, errors: [] });

const failuresOf = (operation: Operation): Json => {
  const codes = [...new Set([...operation.refusals, ...shared(operation)])];
  const byStatus = Map.groupBy(codes, (code) => texts[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, some]) => [
      String(status),
      {
        description: some.map((code) => `\`${code}\`: ${texts[code].text}`).join("\n\n"),
        content: content(reference(nameOf(operation.failure)), {
          examples: Object.fromEntries(
            some.map((code) => [code, { value: failureBody(operation, exampleOf(code)) }]),
          ),
        }),
      },
    ]),
  );
};

const parametersOf = (operation: Operation, example: Json): Json[] => {
  const { properties = {}, required = [] } = schemaOf(operation.sent ?? operation.input, "input");
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: operation.in,
    required: operation.in === "path" || required.includes(name),
    description,
    schema,
    ...(name in example ? { example: example[name] } : {}),
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

const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "A new random text for each request. Sent again with the same key within 24 hours, the request is not made again, and its answer is the same; `Idempotency-Replayed` then says `true`. A request that was refused has changed nothing: sent again, it is tried again.",
  schema: { type: "string", maxLength: 255, examples: ["8f1e2c34-6a3b-4d0e-9c57-1b2a3d4e5f60"] },
};

/** An answer's headers: its version, and a note. */
const headersOf = ({ tagged, notes }: Operation): Json => {
  const headers = {
    ...(tagged && {
      ETag: {
        description:
          tagged === "always"
            ? "The version of what is answered, for `If-Match`."
            : "The version of the person, for `If-Match`, where one ID was sent.",
        schema: entityTag,
      },
    }),
    ...(notes && {
      "Parley-Note": {
        description:
          "What does not count at once, or has no effect; several notes are separated by semicolons.",
        schema: { type: "string", examples: notes },
      },
    }),
  };
  return Object.keys(headers).length > 0 ? { headers } : {};
};

/** What an operation does, who may call it and what it refuses. */
const descriptionOf = (operation: Operation, description: string): string => {
  const { access, refusals } = operation;
  const refused = refusals.map((code) => `\`${code}\` (${texts[code].status})`).join(", ");
  return [
    description,
    `**For:** ${callers[access]}.`,
    ...(isForKeys(operation) ? [`**Scope of an access key:** \`${scopeOf(operation)}\`.`] : []),
    ...(refused === "" ? [] : [`**Refuses with:** ${refused}.`]),
  ].join("\n\n");
};

const describe = (operation: Operation): Json => {
  const { in: where, otherStatus, conditional, changes } = operation;
  const { description, example } = aboutOf(operation);
  const answer = {
    content: content(answerOf(operation), { example: example.answer }, operation.file),
    ...headersOf(operation),
  };
  const request = content(schemaOf(operation.input, "input"), { example: example.request });
  // An operation without a required field also takes a request without a body.
  const body = { required: !operation.input.safeParse({}).success };
  const parameters = [
    ...(where === "path" || where === "query"
      ? parametersOf(operation, example.request as Json)
      : []),
    ...(conditional ? [ifMatch] : []),
    ...(changes ? [idempotencyKey] : []),
  ];
  return {
    operationId: operation.id,
    tags: [operation.group],
    summary: operation.summary,
    description: descriptionOf(operation, description),
    ...securityOf(operation),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(where === "body" ? { requestBody: { ...body, content: request } } : {}),
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

/**
 * The interface as an OpenAPI 3.1 document, made from the contract. That takes a tenth of a second,
 * so it is made path by path, with other requests in between.
 *
 * @param basePath the path of the service's address in browsers, without a slash at its end
 */
export const openApiDocument = async (version: string, basePath: string): Promise<Json> => {
  const all = Object.values(operations) as readonly Operation[];
  const paths: Json = {};
  for (const [path, some] of Map.groupBy(all, pathOf)) {
    await nextTurn();
    paths[path] = Object.fromEntries(some.map((one) => [one.method.toLowerCase(), describe(one)]));
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Parley",
      version,
      description:
        "Rooms and people of an organization, their meetings, and what is kept of these. Exchange an access key (`getAuthToken`) or sign in (`signIn`) for a token, and send it as `Authorization: Bearer <token>`. Unknown fields are ignored and named in the answer's header `Parley-Ignored`.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: basePath || "/" }],
    security: [{ bearer: [] }],
    tags: [...new Set(all.map(({ group }) => group))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer" } },
      schemas: {
        FieldError: fieldErrorSchema,
        Reason: reasonSchema,
        ...Object.fromEntries(
          Object.entries(failures).map(([shape, schema]) => [
            nameOf(shape as keyof typeof failures),
            schema,
          ]),
        ),
      },
    },
  };
};
