import type { Operation } from "../../contract/kit/operation.ts";

/*
 * How each operation is called, for /docs: with curl, with our TypeScript client, and in Python.
 */

type Values = Readonly<Record<string, unknown>>;

/** The path and the query of a request, with its parameters as they are sent. */
const addressOf = ({ path, in: where }: Operation, values: Values): string => {
  const filled = path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(values[name])),
  );
  if (where !== "query" || Object.keys(values).length === 0) return filled;
  const query = new URLSearchParams(
    Object.entries(values).map(([name, value]) => [name, String(value)]),
  );
  return `${filled}?${query}`;
};

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const needsToken = ({ access }: Operation): boolean => access !== "anyone";

const curlOf = (operation: Operation, server: string, request: unknown): string => {
  const { method, in: where } = operation;
  return [
    `curl ${method === "GET" ? "" : `-X ${method} `}${quoted(server + addressOf(operation, (request ?? {}) as Values))}`,
    ...(needsToken(operation) ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(where === "body"
      ? [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(request ?? {}))}`]
      : []),
    ...(operation.file ? ["-o answer"] : []),
  ].join(" \\\n  ");
};

/** A value in TypeScript: JSON, with bare keys where the language takes them. */
const scriptOf = (value: unknown): string =>
  JSON.stringify(value, undefined, 2).replace(/^( *)"([A-Za-z_]\w*)":/gm, "$1$2:");

const typescriptOf = ({ id, in: where }: Operation, request: unknown): string =>
  `const answer = await parley.${id}(${where === "nothing" || request === undefined ? "" : scriptOf(request)});`;

const INDENT = "    ";

/** A value in Python. */
const pythonValue = (value: unknown, indent = ""): string => {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const inner = indent + INDENT;
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  const entries = Object.entries(value).map(
    ([name, one]) =>
      `${inner}${Array.isArray(value) ? "" : `${JSON.stringify(name)}: `}${pythonValue(one, inner)},\n`,
  );
  return entries.length === 0 ? `${open}${close}` : `${open}\n${entries.join("")}${indent}${close}`;
};

const pythonOf = (operation: Operation, server: string, request: unknown): string => {
  const { method, in: where, file } = operation;
  const address = JSON.stringify(server + addressOf(operation, (request ?? {}) as Values));
  return [
    "answer = requests.request(",
    `${INDENT}"${method}",`,
    `${INDENT}${address},`,
    ...(needsToken(operation) ? [`${INDENT}headers={"Authorization": f"Bearer {TOKEN}"},`] : []),
    ...(where === "body" ? [`${INDENT}json=${pythonValue(request ?? {}, INDENT)},`] : []),
    ")",
    file ? "content = answer.content" : "result = answer.json()",
  ].join("\n");
};

/** The languages of the examples, with their names for people who read. */
export const languages = { curl: "curl", typescript: "TypeScript", python: "Python" } as const;

/**
 * How an operation is called in each language.
 *
 * @param server the address of the service
 * @param request the example of its input
 */
export const callExamples = (
  operation: Operation,
  server: string,
  request: unknown,
): Readonly<Record<keyof typeof languages, string>> => ({
  curl: curlOf(operation, server, request),
  typescript: typescriptOf(operation, request),
  python: pythonOf(operation, server, request),
});
