import { groups } from "../../contract/docs/descriptions.ts";
import { examples } from "../../contract/docs/examples.ts";
import { type Operations, operations } from "../../contract/index.ts";
import type { Operation } from "../../contract/kit/operation.ts";
import { texts } from "../../contract/kit/texts.ts";
import { eventGroups } from "../../contract/webhooks/events.ts";
import { callExamples, languages } from "./docs-examples.ts";
import { escaped, type FieldLists, fieldsOf, proseOf } from "./docs-fields.ts";
import { documentPath } from "./openapi.ts";
import type { Json } from "./openapi-schemas.ts";

/*
 * The page of the interface (/docs), made from the OpenAPI document. It reads without a script, which adds
 * the search and the form to try an operation.
 */

const all = Object.values(operations) as readonly Operation[];
const names: ReadonlySet<string> = new Set(all.map(({ id }) => id));
const prose = (text: unknown): string => proseOf(String(text), names);

const idOf = (words: string): string => words.replaceAll(" ", "-");

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Json;
}

/** One operation of the document. */
interface Described {
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Json>> };
  readonly responses: Readonly<
    Record<string, { readonly description?: string; readonly content?: Record<string, Json> }>
  >;
}

const part = (title: string, html: string): string =>
  html === "" ? "" : `<h4>${title}</h4>${html}`;

const errorLinks = (described: Described): string =>
  Object.entries(described.responses)
    .filter(([status]) => status >= "400")
    .map(([status, { description = "" }]) => {
      const codes = [...description.matchAll(/`(\w+)`/g)].map(
        ([, code]) => `<a href="#error-${code}"><code>${code}</code></a>`,
      );
      return `<li>${status}: ${codes.join(", ")}</li>`;
    })
    .join("");

const pre = (text: string): string => `<pre><code>${escaped(text)}</code></pre>`;

/** A text as it is, anything else as JSON. */
const exampleText = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value, undefined, 2) ?? "");

const operationSection = (
  operation: Operation,
  document: Json,
  fields: FieldLists,
  server: string,
) => {
  const { id, method, summary } = operation;
  const path = documentPath(operation);
  const paths = document.paths as Record<string, Record<string, Described>>;
  const { parameters: shared } = document.components as {
    readonly parameters: Record<string, Parameter>;
  };
  const described = paths[path]?.[method.toLowerCase()];
  if (described === undefined) throw new Error(`The document has no ${id}.`);
  const parameters = (described.parameters ?? []).map((one) =>
    one.$ref === undefined ? one : (shared[one.$ref.split("/").at(-1) ?? ""] ?? one),
  );
  const body = Object.values(described.requestBody?.content ?? {})[0];
  const answer = described.responses[operation.status]?.content ?? {};
  const [kind = "", success = {}] = Object.entries(answer)[0] ?? [];
  const parameterList = parameters
    .map((one) =>
      fields.one(`${one.name}`, one.schema, one.required, `In ${one.in}. ${one.description ?? ""}`),
    )
    .join("");
  const { request } = examples[id as keyof Operations] as { readonly request?: unknown };
  const called = callExamples(operation, server, request);
  const shown = Object.entries(languages)
    .map(
      ([language, name]) =>
        `<figure class="${language}"><figcaption>${name}</figcaption>${pre(called[language as keyof typeof languages])}</figure>`,
    )
    .join("");
  return `<section class="operation" id="${id}" data-method="${method}" data-path="${path}">
<h3><a href="#${id}">${escaped(summary)}</a></h3>
<p class="address"><strong>${method}</strong> <code>${path}</code> <code>${id}</code></p>
<div class="words">${prose(described.description)}
${part("Parameters", parameterList && `<dl>${parameterList}</dl>`)}
${part("Body", body ? fields.of(body.schema as Json) : "")}
${part(`Answer, ${operation.status}`, operation.file ? `<p>A file: ${operation.file.join(", ")}</p>` : fields.of(success.schema as Json))}
${part("Errors", `<ul>${errorLinks(described)}</ul>`)}</div>
<div class="code">${shown}<figure><figcaption>Answer${kind === "application/json" ? "" : `, ${kind}`}</figcaption>${pre(exampleText(success.example))}</figure></div>
</section>`;
};

const navigation = (): string =>
  Object.keys(groups)
    .map((group) => {
      const links = all
        .filter((one) => one.group === group)
        .map(
          ({ id, summary }) =>
            `<li data-find="${id}"><a href="#${id}">${escaped(summary)}</a></li>`,
        );
      return `<li><a href="#${idOf(group)}"><strong>${group}</strong></a><ul>${links.join("")}</ul></li>`;
    })
    .join("");

const introduction = (document: Json, basePath: string, server: string): string => {
  const { description } = document.info as { readonly description: string };
  return `<section id="start"><h2>Start</h2>${prose(description)}
<p>The document of this page: <a href="${basePath}/openapi.json">OpenAPI as JSON</a>, <a href="${basePath}/openapi.yaml">as YAML</a>. What a meeting's socket carries: <a href="${basePath}/asyncapi.json">AsyncAPI</a>. Events for your own service: <a href="#events">webhooks</a>. Every failure: <a href="#errors">errors</a>.</p>
<p>Examples need a token. In TypeScript and Python they begin with:</p>
${pre(`import { createClient } from "parley-client";\nconst parley = createClient({ baseUrl: "${server}", token: process.env.TOKEN });`)}
${pre('import os\nimport requests\nTOKEN = os.environ["TOKEN"]')}</section>`;
};

const errorList = (): string =>
  `<section id="errors"><h2>Errors</h2><p>A failure carries a stable <code>code</code> and a text.</p><dl>${Object.entries(
    texts,
  )
    .map(
      ([code, { status, text }]) =>
        `<dt id="error-${code}"><code>${code}</code> <span>${status}</span></dt><dd>${escaped(text)}</dd>`,
    )
    .join("")}</dl></section>`;

const eventList = (): string =>
  `<section id="events"><h2>Webhook events</h2>${prose(
    "A webhook (`createWebhook`) posts each event as `{ type, timestamp, data }`, signed as Standard Webhooks says: headers `webhook-id`, `webhook-timestamp` and `webhook-signature`. `testWebhook` sends one at once, and `listDeliveries` shows what was sent.",
  )}<dl>${Object.entries(eventGroups)
    .map(
      ([group, events]) =>
        `<dt>${group}</dt><dd>${events.map((one) => `<code>${one}</code>`).join(", ")}</dd>`,
    )
    .join("")}</dl></section>`;

/**
 * The page of the interface.
 *
 * @param document the OpenAPI document
 * @param server the address of the service, for the examples
 */
export const docsPage = (document: Json, basePath: string, server: string): string => {
  const fields = fieldsOf(document, names);
  const radios = Object.entries(languages).map(
    ([language, name], at) =>
      `<label><input type="radio" name="language" id="in-${language}"${at === 0 ? " checked" : ""}> ${name}</label>`,
  );
  const sections = Object.entries(groups).map(
    ([group, about]) =>
      `<section id="${idOf(group)}"><h2>${group}</h2><p>${escaped(String(about))}</p></section>${all
        .filter((one) => one.group === group)
        .map((one) => operationSection(one, document, fields, server))
        .join("\n")}`,
  );
  const records = fields
    .records()
    .map(({ name, html }) => `<section id="record-${name}"><h3>${name}</h3>${html}</section>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="Every operation of Parley, with its fields, errors and examples.">
<title>Parley: the API</title>
<link rel="stylesheet" href="${basePath}/docs/page.css">
<link rel="icon" href="${basePath}/icon.svg" type="image/svg+xml">
<script type="module" src="${basePath}/docs/page.js"></script>
</head>
<body>
<a class="skip" href="#start">Skip to the reference</a>
<header>
<h1>Parley API</h1>
<label class="scripted" hidden>Search <input type="search" id="search" autocomplete="off"></label>
<fieldset><legend>Examples in</legend>${radios.join("")}</fieldset>
</header>
<nav aria-label="Operations"><p id="found" role="status"></p><ul><li><a href="#start">Start</a></li>${navigation()}<li><a href="#events">Webhook events</a></li><li><a href="#errors">Errors</a></li><li><a href="#records">Records</a></li></ul></nav>
<main>
${introduction(document, basePath, server)}
${sections.join("\n")}
${eventList()}
${errorList()}
<section id="records"><h2>Records</h2><p>Objects that several operations take or answer.</p></section>
${records.join("\n")}
</main>
</body>
</html>
`;
};
