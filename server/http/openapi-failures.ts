import { reasonTable } from "../../contract/docs/reason-examples.ts";
import { fieldErrorFields } from "../../contract/kit/field-error.ts";
import type { FailureShape, Operation } from "../../contract/kit/operation.ts";
import { isForKeys } from "../../contract/kit/operation.ts";
import { scopeFailures, scopeOf } from "../../contract/kit/scopes.ts";
import { type Code, texts } from "../../contract/kit/texts.ts";
import { failureBody } from "./failures.ts";
import type { Json } from "./openapi-schemas.ts";

/*
 * The failures of operations in the OpenAPI document: one answer for each shape and status, with all of its codes.
 */

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** The schema of values like an example. */
const schemaLike = (example: unknown): Json => {
  if (Array.isArray(example)) return { type: "array", items: { type: "string" } };
  return typeof example === "number"
    ? { type: "integer", format: "int64" }
    : { type: typeof example };
};

/** The values of all reasons: each code has some of them. */
const values: Json = Object.fromEntries(
  reasonTable
    .flatMap((row) => row.values)
    .map(({ name, example }) => [
      name,
      {
        ...(name === "now" ? {} : schemaLike(example)),
        description: `A value of ${reasonTable
          .filter((row) => row.values.some((one) => one.name === name))
          .map(({ code }) => `\`${code}\``)
          .join(", ")}.`,
        examples: [example],
      },
    ]),
);

const openCode = (description: string, examples: readonly string[]): Json => ({
  type: "string",
  description: `${description} Later versions may have further ones.`,
  examples,
});

const reasonExamples = reasonTable.slice(0, 3).map(({ code }) => code);

const reason: Json = {
  type: "object",
  description: `Why, as a code with its values: a failure's code, or one of ${reasonTable
    .map(({ code }) => `\`${code}\``)
    .join(", ")}.`,
  properties: { code: openCode("The code of the reason.", reasonExamples), ...values },
  required: ["code"],
};

const fieldError: Json = {
  type: "object",
  properties: {
    field: { type: "string", description: fieldErrorFields.field },
    about: { type: "string", description: fieldErrorFields.about },
    code: openCode(fieldErrorFields.code, reasonExamples),
    message: { type: "string", description: fieldErrorFields.message },
    ...values,
  },
  required: ["field", "code", "message"],
};

const text = { type: "string", description: "What went wrong, for people." };
const type = { type: "string", description: "The name of the answer, as in a success." };
const no = { type: "boolean", description: "Always false." };

const failure = (properties: Json): Json => ({
  type: "object",
  properties: {
    ...properties,
    code: openCode("The stable name of the failure.", ["room_not_found"]),
    errors: {
      type: "array",
      description: "For bad input: every field that was wrong.",
      items: reference("FieldError"),
    },
    reason: {
      ...reference("Reason"),
      description: "Where one code has several texts: the reason from which this text is made.",
    },
    ticket: {
      type: "string",
      description:
        "What the next step of a sign-in takes: with `second_factor_needed` signInWithFactor or signInWithPasskey, with `password_to_choose` signInWithNewPassword.",
    },
  },
  required: [...Object.keys(properties), "code"],
});

const shapes: Readonly<Record<FailureShape, { readonly name: string; readonly schema: Json }>> = {
  message: { name: "Failure", schema: failure({ success: no, message: text }) },
  "typed message": {
    name: "TypedFailure",
    schema: failure({ type, success: no, message: text }),
  },
  "typed error": { name: "ListFailure", schema: failure({ type, success: no, error: text }) },
  authToken: {
    name: "TokenFailure",
    schema: failure({ authToken: reference("TokenRefusal") }),
  },
};

/** The schemas of failures. */
export const failureSchemas: Readonly<Record<string, Json>> = {
  FieldError: fieldError,
  Reason: reason,
  TokenRefusal: {
    type: "object",
    description: "Why there is no token.",
    properties: { ok: no, message: text },
    required: ["ok", "message"],
  },
  ...Object.fromEntries(Object.values(shapes).map(({ name, schema }) => [name, schema])),
};

/** The failures that every operation shares, besides its own refusals. */
const shared = (operation: Operation): Code[] => {
  const { access, in: where, fault, changes, conditional } = operation;
  const scope = scopeOf(operation);
  return [
    ...(changes ? (["idempotency_running", "idempotency_reused"] as const) : []),
    // Of the headers as well.
    ...(where !== "nothing" || changes || conditional ? (["invalid_input"] as const) : []),
    ...(access === "anyone" ? [] : (["unauthorized"] as const)),
    ...(access === "anyone" || operation.setup ? [] : (["factor_to_set_up"] as const)),
    ...(operation.fresh ? (["proof_needed"] as const) : []),
    ...(access === "administrator" ? (["not_allowed"] as const) : []),
    ...(isForKeys(operation) && scope !== "read" ? [scopeFailures[scope]] : []),
    ...(where === "body" ? (["body_too_large", "unsupported_media_type"] as const) : []),
    "too_many_requests",
    fault?.code ?? "unavailable",
    "overloaded",
  ];
};

const statusNames: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  409: "Conflict",
  410: "Gone",
  412: "PreconditionFailed",
  413: "TooLarge",
  415: "UnsupportedMediaType",
  422: "Unprocessable",
  423: "Locked",
  429: "TooManyRequests",
  503: "Unavailable",
};

/** The failures of a document, collected while its operations are described. */
export interface Failures {
  /** The failures of an operation by status. */
  readonly of: (operation: Operation) => Json;
  readonly all: () => Readonly<Record<string, Json>>;
  readonly examples: () => Readonly<Record<string, Json>>;
}

const exampleName = (operation: Operation | undefined, code: Code): string =>
  `${shapes[operation?.failure ?? "message"].name}.${code}`;

/** Makes an empty collection. */
export const collectFailures = (): Failures => {
  const kept = new Map<string, { readonly operation: Operation; readonly codes: Set<Code> }>();
  const answers = (name: string): Json => {
    const { operation, codes } = kept.get(name) ?? { codes: new Set<Code>() };
    const [first] = codes;
    const wait = first !== undefined && [429, 503].includes(texts[first].status);
    return {
      description: [...codes].map((code) => `\`${code}\`: ${texts[code].text}`).join("\n\n"),
      ...(wait ? { headers: { "Retry-After": { $ref: "#/components/headers/RetryAfter" } } } : {}),
      content: {
        "application/json": {
          schema: reference(shapes[operation?.failure ?? "message"].name),
          examples: Object.fromEntries(
            [...codes].map((code) => [
              code,
              { $ref: `#/components/examples/${exampleName(operation, code)}` },
            ]),
          ),
        },
      },
    };
  };
  return {
    of: (operation) => {
      const codes = [...new Set([...operation.refusals, ...shared(operation)])];
      return Object.fromEntries(
        [...Map.groupBy(codes, (code) => texts[code].status)].map(([status, some]) => {
          const prefix = shapes[operation.failure].name.replace("Failure", "");
          const name = `${prefix}${statusNames[status] ?? `Status${status}`}`;
          const all = kept.get(name) ?? { operation, codes: new Set<Code>() };
          for (const code of some) all.codes.add(code);
          kept.set(name, all);
          return [
            String(status),
            {
              $ref: `#/components/responses/${name}`,
              description: some.map((code) => `\`${code}\``).join(", "),
            },
          ];
        }),
      );
    },
    all: () => Object.fromEntries([...kept.keys()].sort().map((name) => [name, answers(name)])),
    examples: () =>
      Object.fromEntries(
        [...kept.values()].flatMap(({ operation, codes }) =>
          [...codes].map((code) => [
            exampleName(operation, code),
            { value: failureBody(operation, { code, text: texts[code].text, errors: [] }) },
          ]),
        ),
      ),
  };
};
