import type { Json } from "./openapi-schemas.ts";

/*
 * Texts, fields and records of the OpenAPI document as HTML, for /docs.
 */

const SIGNS: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** A text in HTML. */
export const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => SIGNS[sign] ?? "");

/** A line of a description: code, with links to operations, and strong words. */
const lineOf = (text: string, operations: ReadonlySet<string>): string =>
  escaped(text)
    .replace(/`([^`]+)`/g, (_, name: string) =>
      operations.has(name) ? `<a href="#${name}"><code>${name}</code></a>` : `<code>${name}</code>`,
    )
    .replace(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>");

/** A description (paragraphs and lists in Markdown) as HTML. */
export const proseOf = (text: string, operations: ReadonlySet<string>): string =>
  text
    .split("\n\n")
    .map((part) =>
      part.startsWith("- ")
        ? `<ul>${part
            .split(/\n?^- /m)
            .slice(1)
            .map((point) => `<li>${lineOf(point, operations)}</li>`)
            .join("")}</ul>`
        : `<p>${lineOf(part, operations)}</p>`,
    )
    .join("");

/** The parts of a schema of the document that are shown. */
interface Shown {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Shown[];
  readonly items?: Shown;
  readonly properties?: Readonly<Record<string, Shown>>;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly default?: unknown;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
}

const PREFIX = "#/components/schemas/";
const nameIn = ({ $ref = "" }: Shown): string => $ref.slice(PREFIX.length);

const rangeOf = (least: number | undefined, most: number | undefined, unit: string): string => {
  if (most === undefined || most === Number.MAX_SAFE_INTEGER)
    return least ? `, from ${least}${unit}` : "";
  return least === undefined ? `, at most ${most}${unit}` : `, ${least} to ${most}${unit}`;
};

/** The part of the document's schemas that a page shows. */
export interface FieldLists {
  /** The fields of an operation's request or answer. */
  readonly of: (schema: Json) => string;
  /** One field, such as a parameter. */
  readonly one: (name: string, schema: Json, isRequired: boolean, description: string) => string;
  /** The records that several places share, by name. */
  readonly records: () => readonly { readonly name: string; readonly html: string }[];
}

/** Prepares the schemas of a document for its page. */
export const fieldsOf = (document: Json, operations: ReadonlySet<string>): FieldLists => {
  const { schemas } = document.components as { readonly schemas: Readonly<Record<string, Shown>> };
  const uses = new Map<string, number>();
  for (const [, name = ""] of JSON.stringify(document).matchAll(
    /"#\/components\/schemas\/(\w+)"/g,
  )) {
    uses.set(name, (uses.get(name) ?? 0) + 1);
  }
  const isRecord = (name: string): boolean =>
    schemas[name]?.properties !== undefined && (uses.get(name) ?? 0) > 1;

  const resolved = (schema: Shown): Shown =>
    schema.$ref === undefined ? schema : { ...schemas[nameIn(schema)], ...schema };

  /** The kind of a value in words, as HTML. */
  const kindIn = (schema: Shown): string => {
    const name = nameIn(schema);
    if (name !== "" && isRecord(name))
      return `<a class="record" href="#record-${name}">${name}</a>`;
    const { type, enum: words, anyOf, items, format, ...limits } = resolved(schema);
    if (anyOf) return anyOf.map(kindIn).join(" or ");
    if (words) return words.map((word) => `<code>${escaped(String(word))}</code>`).join(", ");
    if (items) return `list of ${kindIn(items)}${rangeOf(undefined, limits.maxItems, "")}`;
    const kinds = typeof type === "string" ? [type] : (type ?? ["any"]);
    const text = kinds.join(" or ") + (format && format !== "int64" ? ` (${format})` : "");
    return kinds.includes("string")
      ? text + rangeOf(limits.minLength, limits.maxLength, " characters")
      : text + rangeOf(limits.minimum, limits.maximum, "");
  };

  /** The fields of an object that is shown where it stands. */
  const within = (schema: Shown): string => {
    const name = nameIn(schema);
    if (name !== "" && isRecord(name)) return "";
    const { properties, items, anyOf } = resolved(schema);
    if (properties) return listOf(schema);
    if (items) return within(items);
    return (anyOf ?? []).map(within).join("");
  };

  const fieldOf = (name: string, schema: Shown, isRequired: boolean, about: string): string => {
    const initial =
      schema.default === undefined
        ? ""
        : `; default <code>${escaped(JSON.stringify(schema.default))}</code>`;
    return `<dt><code>${escaped(name)}</code> <span>${kindIn(schema)}${initial}${
      isRequired ? "; required" : ""
    }</span></dt><dd>${about === "" ? "" : proseOf(about, operations)}${within(schema)}</dd>`;
  };

  const listOf = (schema: Shown): string => {
    const { properties = {}, required = [] } = resolved(schema);
    const rows = Object.entries(properties).map(([name, field]) =>
      fieldOf(name, field, required.includes(name), field.description ?? ""),
    );
    return rows.length === 0 ? "" : `<dl>${rows.join("")}</dl>`;
  };

  return {
    of: (schema) => {
      const shown = schema as Shown;
      return within(shown) || `<p>${kindIn(shown)}</p>`;
    },
    one: (name, schema, isRequired, description) =>
      fieldOf(name, schema as Shown, isRequired, description),
    records: () =>
      Object.keys(schemas)
        .filter(isRecord)
        .map((name) => ({ name, html: listOf(schemas[name] ?? {}) })),
  };
};
