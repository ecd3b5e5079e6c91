// Runs: always

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { answerOf, type Schema } from "../../contract/docs/json-schema.ts";
import { operations } from "../../contract/index.ts";
import type { Operation } from "../../contract/kit/operation.ts";
import { organizationSettings } from "../../contract/kit/organization-settings.ts";
import { root } from "../../packaging/folder.ts";
import { parts, partsIn, refreshed } from "../../packaging/reference.ts";

const read = (file: string): string => readFileSync(join(root, file), "utf8");
const document = read("docs/interface.md");

test("docs/interface.md says what the contract says: `npm run reference` writes it", () => {
  assert.equal(refreshed(document), document);
  assert.deepEqual([...partsIn(document)].sort(), Object.keys(parts).sort());
});

/** The text under the headings whose anchors a text links to, subsections included. */
const linkedFrom = (text: string): string =>
  [...text.matchAll(/\]\(#([\w-]+)\)/g)]
    .map(([, anchor]) => {
      const lines = document.split("\n");
      const levelOf = (line: string): number => /^(#+) /.exec(line)?.[1]?.length ?? 9;
      const start = lines.findIndex(
        (line) =>
          levelOf(line) < 9 &&
          line.replace(/^#+ /, "").toLowerCase().replaceAll(" ", "-") === anchor,
      );
      assert.notEqual(start, -1, `no heading #${anchor}`);
      const level = levelOf(lines[start] ?? "");
      const length = lines.slice(start + 1).findIndex((line) => levelOf(line) <= level);
      return lines.slice(start, length === -1 ? undefined : start + 1 + length).join("\n");
    })
    .join("\n");

const rowOf = (text: string, field: string): string | undefined =>
  text.split("\n").find((line) => line.startsWith(`| \`${field}\` |`));

/** The fields in a schema that a text does not describe: in rows of its own, or in records that it links to. */
const missingIn = (text: string, schema: Schema, at = ""): string[] => {
  if (schema.items) return missingIn(text, schema.items, `${at}[]`);
  if (schema.anyOf) return schema.anyOf.flatMap((one) => missingIn(text, one, at));
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = at === "" ? name : `${at}.${name}`;
    const row = rowOf(text, path);
    if (row === undefined || !row.includes(field.description ?? "no description")) return [path];
    const linked = linkedFrom(row);
    if (linked === "") return missingIn(text, field, path);
    // A record links to the table of its settings.
    return missingIn(`${linked}\n${linkedFrom(linked)}`, recordIn(field)).map(
      (one) => `${path}: ${one}`,
    );
  });
};

/** The object in a field. */
const recordIn = (field: Schema): Schema =>
  field.items
    ? recordIn(field.items)
    : (field.anyOf?.map(recordIn).find((one) => one.properties) ?? field);

test("the reference describes every field of every success", () => {
  for (const operation of Object.values(operations) as readonly Operation[]) {
    const { success: _, type, ...own } = answerOf(operation).properties ?? {};
    const block = parts[operation.id]?.() ?? assert.fail(operation.id);
    const answers = block.slice(block.lastIndexOf(`\nAnswers ${operation.status}`));
    assert.deepEqual(missingIn(answers, { properties: own }), [], operation.id);
    if (operation.file === undefined && type) assert.ok(answers.includes(`\`${type.const}\``));
  }
});

test("the reference has every setting of the organization with its default", () => {
  for (const [name, { initial }] of Object.entries(organizationSettings)) {
    const row = rowOf(parts["organization settings"]?.() ?? "", name);
    assert.ok(row?.includes(`| \`${JSON.stringify(initial)}\` |`), name);
  }
});

test("every section of docs/interface.md that a comment cites exists", () => {
  const headings = new Set([...document.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading));
  const files = globSync("{contract,server,console,test,packaging}/**/*.{ts,tsx}", { cwd: root });
  const cited = files
    .filter((file) => !file.includes("dist") && !file.endsWith("reference.test.ts"))
    .flatMap((file) =>
      [...read(file).matchAll(/interface\.md, ([A-Z][\w ]*)/g)].map(([, place]) => [file, place]),
    );
  assert.ok(cited.length > 10);
  for (const [file, place] of cited) assert.ok(headings.has(place), `${file}: ${place}`);
});
