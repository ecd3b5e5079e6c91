// Runs: always

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { parseAst } from "vite";

const CONSOLE = join(import.meta.dirname, "../../console");

/** How values are called that people, or other services, have written. */
const foreign = new Set([
  ...["name", "peerName", "roomName", "email", "recipient", "organization", "location"],
  ...["startedBy", "roomAgenda", "lastError", "target"],
]);
/** The console's own texts. */
const own = new Set(["t", "m", "texts"]);

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value;

/** The values that an expression may have. */
const valuesOf = (node: Node): readonly Node[] => {
  const { type, left, right, consequent, alternate, expressions, expression } = node;
  const parts =
    type === "ConditionalExpression"
      ? [consequent, alternate]
      : type === "LogicalExpression"
        ? node.operator === "&&"
          ? [right]
          : [left, right]
        : type === "TemplateLiteral"
          ? expressions
          : type === "TSAsExpression" || type === "ChainExpression"
            ? [expression]
            : undefined;
  return parts === undefined ? [node] : (parts as Node[]).flatMap(valuesOf);
};

/** The root of a member expression: `t` in `t.rooms.labels.name`. */
const rootOf = (node: Node): string =>
  isNode(node.object) ? rootOf(node.object) : String(node.name);

/** Returns whether an expression is a value that somebody else has written. */
const isForeign = (node: Node): boolean =>
  valuesOf(node).some((value) => {
    const named = value.type === "MemberExpression" ? value.property : value;
    const isNamed = isNode(named) && named.type === "Identifier" && foreign.has(String(named.name));
    return isNamed && value.computed !== true && !own.has(rootOf(value));
  });

/** The name of an element: `bdi`. */
const elementOf = (node: Node): string => {
  const { openingElement } = node;
  const name = isNode(openingElement) && isNode(openingElement.name) ? openingElement.name : {};
  return "name" in name ? String(name.name) : "";
};

/** The elements that isolate their content; the heading of a meeting's page makes one. */
const ISOLATING = new Set(["bdi", "Heading"]);
/** Labels of which nothing makes an element. */
const LABELS = new Set(["aria-label", "alt", "label", "placeholder"]);

/** Returns whether a child of an element, or a label, is such a value. */
const isBare = (container: unknown): boolean =>
  isNode(container) &&
  container.type === "JSXExpressionContainer" &&
  isNode(container.expression) &&
  isForeign(container.expression);

/** The places where such a value stands without an element, or in a label without isolation. */
const bareIn = (node: unknown): readonly number[] => {
  if (Array.isArray(node)) return node.flatMap(bareIn);
  if (!isNode(node)) return [];
  const { type, children, name, value } = node;
  const isElement = type === "JSXElement" || type === "JSXFragment";
  if (isElement && ISOLATING.has(elementOf(node))) return [];
  const bare = isElement ? (children as Node[]).filter(isBare).map(({ start }) => start) : [];
  const isLabel = type === "JSXAttribute" && isNode(name) && LABELS.has(String(name.name));
  return [
    ...bare,
    ...(isLabel && isBare(value) ? [node.start] : []),
    ...Object.values(node).flatMap(bareIn),
  ];
};

test("text by others is in its own element on every page", async () => {
  const files = (await readdir(CONSOLE, { recursive: true })).filter(
    (file) => file.endsWith(".tsx") && !file.startsWith("dist"),
  );
  assert.ok(files.length > 100);
  const found: string[] = [];
  for (const file of files) {
    const text = await readFile(join(CONSOLE, file), "utf8");
    for (const at of bareIn(parseAst(text, { lang: "tsx" }))) {
      const line = text.slice(0, at).split("\n").length;
      found.push(`console/${file}:${line}`);
    }
  }
  assert.deepEqual(found, []);
});
