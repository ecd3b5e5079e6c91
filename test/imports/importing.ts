import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { ImportLine, ImportSummary } from "../../contract/imports/imports.ts";
import { texts } from "../../contract/kit/texts.ts";
import type { Answer, Ask } from "../world/ask.ts";
import { assertReason } from "../world/reasons.ts";

/** A file to import. */
interface Upload {
  readonly kind: "users" | "rooms";
  readonly text: string | readonly object[];
  readonly form?: string;
}

/** An unused address: emails are unique across the service. */
export const address = (): string => `imported-${randomUUID()}@example.org`;

/** Asserts that a request is refused with this code. */
export const refused = async (asked: Promise<Answer>, code: keyof typeof texts): Promise<void> => {
  const { status, body } = await asked;
  assert.deepEqual([status, body.code], [texts[code].status, code]);
};

/** Continues until there is nothing left to do. */
export const goOn = async (ask: Ask, importId: string): Promise<ImportSummary> => {
  for (;;) {
    const { status, body } = await ask("continueImport", { importId });
    assert.equal(status, 200, JSON.stringify(body));
    if (body.import.state !== "checking" && body.import.state !== "running") return body.import;
  }
};

/** Uploads a file and has it checked. */
export const upload = async (ask: Ask, { text, ...file }: Upload): Promise<ImportSummary> => {
  const { status, body } = await ask("createImport", {
    ...file,
    format: typeof text === "string" ? "csv" : "json",
    text: typeof text === "string" ? text : JSON.stringify(text),
  });
  assert.equal(status, 201, JSON.stringify(body));
  return goOn(ask, body.import.id);
};

/** Confirms an import and carries it out. */
export const carryOut = async (
  ask: Ask,
  importId: string,
  more: { readonly mode?: "all" | "possible"; readonly emails?: boolean } = {},
): Promise<ImportSummary> => {
  const { status, body } = await ask("confirmImport", { importId, mode: "possible", ...more });
  assert.equal(status, 200, JSON.stringify(body));
  return goOn(ask, importId);
};

/** The lines of an import, whose reasons make their texts. */
export const linesOf = async (ask: Ask, importId: string): Promise<readonly ImportLine[]> => {
  const { lines } = (await ask("listImportLines", { importId, limit: 1000 })).body;
  for (const { reason, reasons } of lines as ImportLine[]) {
    reasons.forEach(assertReason);
    assert.equal(reason ?? "", reasons.map(({ message }) => message).join("; "));
  }
  return lines;
};

/** The outcome of each line, or why it is refused. */
export const plansOf = async (ask: Ask, importId: string) =>
  (await linesOf(ask, importId)).map(({ line, plan, reason }) =>
    reason === null ? [line, plan] : [line, plan, reason],
  );
