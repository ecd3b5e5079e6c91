import assert from "node:assert/strict";
import { documentPath } from "../../server/http/openapi.ts";
import { all } from "../isolation/rows.ts";
import { send } from "../world/ask.ts";

export type Json = Record<string, unknown>;

/** The OpenAPI document of a service, as it is sent. */
export const documentOf = async (url: string) => {
  const answer = await send(url, { method: "GET", path: "/openapi.json" });
  assert.equal(answer.headers.get("content-type"), "application/json; charset=utf-8");
  return answer.body as {
    readonly paths: Record<string, Record<string, Json>>;
    readonly components: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  } & Json;
};

/** The target of a reference in a document. */
export const at = (document: Json, reference: string): unknown =>
  reference
    .replace(/^#\//, "")
    .split("/")
    .reduce<unknown>((where, part) => (where as Json)?.[part.replaceAll("~1", "/")], document);

/** A part of a document with everything to which it refers in place of the references. */
export const resolved = (document: Json, part: unknown): unknown => {
  if (Array.isArray(part)) return part.map((one) => resolved(document, one));
  if (typeof part !== "object" || part === null) return part;
  const { $ref, ...own } = part as Json;
  const meant = typeof $ref === "string" ? (at(document, $ref) as Json) : {};
  return Object.fromEntries(
    Object.entries({ ...meant, ...own }).map(([key, one]) => [key, resolved(document, one)]),
  );
};

/** Each operation of the contract with its entry in the served document, references resolved. */
export const served = async (url: string) => {
  const document = await documentOf(url);
  return all.map(([id, operation]) => {
    const entry = document.paths[documentPath(operation)]?.[operation.method.toLowerCase()];
    return [id, operation, resolved(document, entry)] as const;
  });
};
