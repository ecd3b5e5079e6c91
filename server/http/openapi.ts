import { setImmediate as nextTurn } from "node:timers/promises";
import { callers, descriptions, groups } from "../../contract/docs/descriptions.ts";
import { examples } from "../../contract/docs/examples.ts";
import { answerOf, schemaOf } from "../../contract/docs/json-schema.ts";
import { links } from "../../contract/docs/links.ts";
import { requestNames } from "../../contract/docs/names.ts";
import { type Operations, operations } from "../../contract/index.ts";
import type { Operation } from "../../contract/kit/operation.ts";
import { isForKeys } from "../../contract/kit/operation.ts";
import { scopeOf } from "../../contract/kit/scopes.ts";
import { texts } from "../../contract/kit/texts.ts";
import { collectFailures, type Failures, failureSchemas } from "./openapi-failures.ts";
import { capitalized, collectRecords, type Json, type Records } from "./openapi-schemas.ts";

const all = Object.values(operations) as readonly Operation[];

/** The entries about an operation in the contract's tables. */
interface About {
  readonly description: string;
  readonly example: { readonly request?: unknown; readonly answer: unknown };
}
const aboutOf = ({ id }: Operation): About => ({
  description: descriptions[id as keyof Operations],
  example: examples[id as keyof Operations],
});

/** The names in a path do not count: two paths that differ only in them are one (OpenAPI 3.1, 4.8.8.2). */
const shapeOf = ({ path }: Operation): string => path.replace(/:\w+/g, "{}");
const pathsByShape = Map.groupBy(all, shapeOf);

/** The name of a parameter; one that stands in the same place of a path under two names is called `id`. */
const nameOf = (operation: Operation, name: string): string => {
  const paths = new Set(pathsByShape.get(shapeOf(operation))?.map(({ path }) => path));
  return operation.in === "path" && paths.size > 1 ? "id" : name;
};

/** The path of an operation in the document. */
export const documentPath = (operation: Operation): string =>
  operation.path.replace(/:(\w+)/g, (_, name: string) => `{${nameOf(operation, name)}}`);

/** A request's security: nothing, a token (the document's default), or either. */
const securityOf = ({ access }: Operation): Json => {
  if (access === "anyone") return { security: [] };
  return access === "anyone or token" ? { security: [{}, { bearer: [] }] } : {};
};

const entityTag = { type: "string", examples: ['"q0bV3cQ7y3cYqSxqS4xwVA"'] };

const ifMatch = {
  name: "If-Match",
  in: "header",
  required: false,
  description:
    "The `ETag` of what you loaded. The edit is made only if nothing changed since; otherwise it fails with 412.",
  // With \x22 for the quotation mark, which generators would put into texts of programs.
  schema: { type: "string", pattern: "^(\\*|(W/)?\\x22[!#-~]*\\x22)$" },
};

// Without an example: programs that fill in examples would send the same key with each request.
const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "A new random text for each request. Sent again with the same key within 24 hours, the request is not made again, and its answer is the same; `Idempotency-Replayed` then says `true`. A request that was refused has changed nothing: sent again, it is tried again.",
  schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[!-~]+$" },
};

const headers = {
  ETag: { description: "The version of what is answered, for `If-Match`.", schema: entityTag },
  ETagOfOne: {
    description: "The version of the person, for `If-Match`, where one ID was sent.",
    schema: entityTag,
  },
  RetryAfter: {
    description: "The seconds to wait before the request is sent again.",
    schema: { type: "integer", minimum: 0 },
  },
};

/** An answer's headers: its version, and a note. */
const headersOf = ({ tagged, notes }: Operation): Json => {
  const own = {
    ...(tagged && {
      ETag: { $ref: `#/components/headers/${tagged === "always" ? "ETag" : "ETagOfOne"}` },
    }),
    ...(notes && {
      "Parley-Note": {
        description:
          "What does not count at once, or has no effect; several notes are separated by semicolons.",
        schema: { type: "string", examples: notes },
      },
    }),
  };
  return Object.keys(own).length > 0 ? { headers: own } : {};
};

/** The parameters of an operation, as they stand alone. */
const parametersOf = (operation: Operation, records: Records): Json[] => {
  const { in: where, conditional, changes } = operation;
  const { properties = {}, required = [] } =
    where === "path" || where === "query"
      ? schemaOf(operation.sent ?? operation.input, "input")
      : {};
  const example = aboutOf(operation).example.request as Json | undefined;
  return [
    ...Object.entries(properties).map(([name, { description, joined, ...schema }]) => ({
      name: nameOf(operation, name),
      in: where,
      required: where === "path" || required.includes(name),
      description,
      // An empty one counts as omitted (`withoutEmpty`).
      ...(where === "query" && !required.includes(name) ? { allowEmptyValue: true } : {}),
      ...(joined ? { style: "form", explode: false } : {}),
      schema: records.add(
        joined ? { type: "array", items: { type: "string", enum: joined } } : schema,
        capitalized(operation.id) + capitalized(name),
      ),
      ...(example && name in example ? { example: joined ? [example[name]] : example[name] } : {}),
    })),
    ...(conditional ? [ifMatch] : []),
    ...(changes ? [idempotencyKey] : []),
  ];
};

/** The parameters of each operation, as they stand alone. */
type Parameters = ReadonlyMap<Operation, readonly Json[]>;

/** The parameters that several operations have, as JSON, with their names. */
const sharedParameters = (own: Parameters): ReadonlyMap<string, string> => {
  const named = new Map<string, string>();
  const each = [...own].flatMap(([one, some]) => some.map((parameter) => ({ one, parameter })));
  const taken = new Set<string>();
  for (const [json, some] of Map.groupBy(each, ({ parameter }) => JSON.stringify(parameter))) {
    const [first] = some;
    if (first === undefined || some.length === 1) continue;
    const name = capitalized(String(first.parameter.name).replaceAll("-", ""));
    const free = taken.has(name) ? `${name}Of${capitalized(first.one.id)}` : name;
    taken.add(free);
    named.set(json, free);
  }
  return named;
};

/** Where what an operation answers leads. */
const linksOf = ({ id }: Operation): Json => {
  const some = links[id as keyof Operations] ?? [];
  if (some.length === 0) return {};
  return {
    links: Object.fromEntries(
      some.map(({ to, parameter, at }) => {
        const there = `$response.body#${at}`;
        const taken =
          parameter === undefined
            ? { requestBody: there }
            : { parameters: { [nameOf(operations[to], parameter)]: there } };
        return [to, { operationId: to, ...taken }];
      }),
    ),
  };
};

/** The schema of a file. */
const ofFile = (type: string): Json => {
  if (type === "application/json") return { type: "object", additionalProperties: true };
  return { type: "string", ...(type.startsWith("text/") ? {} : { format: "binary" }) };
};

const fileExample = (type: string, text: unknown): unknown =>
  type === "application/json" ? JSON.parse(String(text)) : text;

/** The content of a success. */
const successOf = (operation: Operation, records: Records): Json => {
  const { example } = aboutOf(operation);
  const { id, file } = operation;
  if (file !== undefined) {
    return Object.fromEntries(
      file.map((type, at) => [
        type,
        {
          schema: ofFile(type),
          ...(at === 0 ? { example: fileExample(type, example.answer) } : {}),
        },
      ]),
    );
  }
  const schema = answerOf(operation);
  const isBare = Object.keys(schema.properties ?? {}).join() === "success";
  const name = isBare ? "Success" : `${capitalized(id)}Answer`;
  return {
    "application/json": { schema: records.add(schema, name), example: example.answer },
  };
};

/** The description of an operation, with its callers and refusals. */
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

/** The parts that operations of a document share, collected while they are described. */
interface Parts {
  readonly records: Records;
  readonly failures: Failures;
  readonly own: Parameters;
  readonly shared: ReadonlyMap<string, string>;
}

const bodyOf = (operation: Operation, { records }: Parts): Json => {
  if (operation.in !== "body") return {};
  const { id, input, readOnly } = operation;
  const name = requestNames[id as keyof Operations] ?? `${capitalized(id)}Request`;
  const schema = records.addBody(schemaOf(input, "input"), name, {
    // A fetched record can be sent back with the fields that only answers have.
    ignoresOthers: readOnly !== undefined,
    example: aboutOf(operation).example.request,
  });
  return {
    requestBody: {
      // An operation without a required field also takes a request without a body.
      required: !input.safeParse({}).success,
      content: { "application/json": { schema } },
    },
  };
};

const describe = (operation: Operation, parts: Parts): Json => {
  const { otherStatus } = operation;
  const answer = {
    content: successOf(operation, parts.records),
    ...headersOf(operation),
    ...linksOf(operation),
  };
  const parameters = (parts.own.get(operation) ?? []).map((parameter) => {
    const name = parts.shared.get(JSON.stringify(parameter));
    return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` };
  });
  return {
    operationId: operation.id,
    tags: [operation.group],
    summary: operation.summary,
    description: descriptionOf(operation, aboutOf(operation).description),
    ...securityOf(operation),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...bodyOf(operation, parts),
    responses: {
      [operation.status]: { description: "Success", ...answer },
      ...(otherStatus
        ? { [otherStatus.status]: { description: otherStatus.when, ...answer } }
        : {}),
      ...parts.failures.of(operation),
    },
  };
};

/**
 * The interface as an OpenAPI 3.1 document, made from the contract. That takes a tenth of a second,
 * so it is made path by path, with other requests in between.
 *
 * @param server the address of the service, or its path, without a slash at its end
 */
export const openApiDocument = async (version: string, server: string): Promise<Json> => {
  const records = collectRecords(failureSchemas);
  const own = new Map<Operation, readonly Json[]>();
  for (const one of all) {
    await nextTurn();
    own.set(one, parametersOf(one, records));
  }
  const parts = { records, failures: collectFailures(), own, shared: sharedParameters(own) };
  const paths: Json = {};
  for (const [path, some] of Map.groupBy(all, documentPath)) {
    await nextTurn();
    paths[path] = Object.fromEntries(
      some.map((one) => [one.method.toLowerCase(), describe(one, parts)]),
    );
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Parley",
      version,
      description:
        "Rooms and people of an organization, their meetings, and what is kept of these. Exchange an access key (`getAuthToken`) or sign in (`signIn`) for a token, and send it as `Authorization: Bearer <token>`. Unknown fields are ignored and named in the answer's header `Parley-Ignored`.",
      contact: {
        name: "The operator of this installation",
        ...(server.includes("://") ? { url: server } : {}),
      },
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: server || "/" }],
    security: [{ bearer: [] }],
    tags: Object.entries(groups).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description: "A token of `getAuthToken` or `signIn`, which lives for an hour.",
        },
      },
      schemas: records.all(),
      responses: parts.failures.all(),
      parameters: Object.fromEntries(
        [...parts.shared].map(([json, name]) => [name, JSON.parse(json)]),
      ),
      examples: parts.failures.examples(),
      headers,
    },
  };
};
