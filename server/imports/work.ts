import { ALL_LINES, type LinePlan } from "../../contract/imports/imports.ts";
import { wrong } from "../../contract/kit/reasons.ts";
import type { Facts, Happened } from "../change/history.ts";
import { asPart, type Change, type Organization, renewed } from "../change/organization.ts";
import { asksForProof } from "../change/proof.ts";
import type { ImportRow, LineRow } from "../db/import-tables.ts";
import { Refusal } from "../lib/refusal.ts";
import { refusalReasons, storedReasons } from "../records/import-reasons.ts";
import { ERASED } from "../users/forget-imports.ts";
import type { Done } from "./lines.ts";
import { importPerson, type PeopleTools } from "./people.ts";
import { importRoom, type RoomTools } from "./rooms.ts";
import type { Given } from "./sheets/given.ts";
import { importOf, markLine, mayTell, nextLines, setImport, waitingLine } from "./stored.ts";

/** A line's inputs besides its cells. */
export interface ImportTools {
  readonly check: PeopleTools["check"] & RoomTools["check"];
  readonly seal: PeopleTools["seal"];
  readonly publicUrl: string;
}

/** How many lines run at once: their changes wait together. */
const TOGETHER = 10;
/** How long one request works. */
const WORK_MS = 1_000;

/** A rule refused a line: its change is rolled back, and the line says why. */
class LineRefused extends Error {
  readonly line: LineRow;
  /** The reason, as it is stored. */
  readonly reason: string;
  constructor(line: LineRow, why: string) {
    super(why);
    this.line = line;
    this.reason = why;
  }
}

const plans: Readonly<Record<Done["outcome"], LinePlan>> = {
  created: "create",
  changed: "change",
  same: "same",
};

/**
 * A line's changes over all of its entries, field by field, as JSON; null for none. Of a creation only that it makes
 * an administrator, which the person who confirms it must see.
 */
const changesOf = (outcome: Done["outcome"], entries: readonly Happened[]): string | null => {
  if (outcome === "same") return null;
  if (outcome === "created") {
    const isRaised = entries.some((one) => one.kind === "userCreated" && one.after?.admin === true);
    return isRaised ? JSON.stringify({ before: { admin: false }, after: { admin: true } }) : null;
  }
  let [before, after]: Facts[] = [{}, {}];
  for (const one of entries) {
    // If a field changes twice, its first value.
    before = { ...one.before, ...before };
    after = { ...after, ...one.after };
  }
  return JSON.stringify({ before, after });
};

/** @throws LineRefused if a rule refuses it; Refusal `proof_needed` */
const carryOut = async (
  change: Change,
  row: ImportRow,
  line: LineRow,
  tools: ImportTools,
): Promise<Done> => {
  if (line.given === null) throw new LineRefused(line, ERASED);
  const given: Given = JSON.parse(line.given);
  try {
    return row.kind === "users"
      ? await importPerson(change, given, { ...tools, emails: row.emails })
      : await importRoom(change, given, tools);
  } catch (error) {
    if (!(error instanceof Refusal) || asksForProof(error)) throw error;
    throw new LineRefused(line, storedReasons(refusalReasons(error)));
  }
};

const used = { users: "used_users", rooms: "used_rooms" } as const;

/** Checks a line: carries it out in a change that is rolled back. */
const checkLine = async (
  organization: Organization,
  row: ImportRow,
  line: LineRow,
  counted: { planned: number },
  tools: ImportTools,
): Promise<Pick<LineRow, "plan" | "reason" | "subject_id" | "changes">> => {
  try {
    return await organization.attempt(async (change) => {
      const column = used[row.kind];
      const before = change.organization[column];
      // The lines before it count toward the limit, although they are not stored.
      await change.tx
        .updateTable("organizations")
        .set({ [column]: before + counted.planned })
        .where("id", "=", organization.id)
        .execute();
      const entries: Happened[] = [];
      const trying: Change = {
        ...(await renewed(change)),
        happened: (...what) => entries.push(...what),
      };
      const { outcome, id } = await carryOut(trying, row, line, tools);
      counted.planned = (await renewed(change)).organization[column] - before;
      return {
        plan: plans[outcome],
        reason: null,
        // Only the ID of something that exists.
        subject_id: outcome === "created" ? null : id,
        changes: changesOf(outcome, entries),
      };
    });
  } catch (error) {
    if (!(error instanceof LineRefused)) throw error;
    return { plan: "refuse", reason: error.reason, subject_id: null, changes: null };
  }
};

const checkLines = async (
  organization: Organization,
  row: ImportRow,
  lines: readonly LineRow[],
  tools: ImportTools,
): Promise<ImportRow> => {
  const counted = { planned: Number(row.planned) };
  // Still in order: an organization's changes wait for each other.
  const checked = await Promise.all(
    lines.map((line) => checkLine(organization, row, line, counted, tools)),
  );
  return organization.change(async ({ tx }) => {
    await importOf(tx, organization.id, row.id);
    for (const [at, columns] of checked.entries()) {
      await tx
        .updateTable("import_lines")
        .set(columns)
        .where("import_id", "=", row.id)
        .where("line", "=", lines[at]?.line ?? 0)
        .where("plan", "is", null)
        .where(mayTell(columns.reason))
        .execute();
    }
    return setImport(tx, row, { planned: counted.planned });
  });
};

/**
 * Carries out a waiting line and marks it in the same change.
 *
 * @throws LineRefused if a rule refuses it, or if it would no longer do what was confirmed
 */
const carryOutWaiting = async (
  change: Change,
  row: ImportRow,
  line: LineRow,
  tools: ImportTools,
): Promise<void> => {
  // Under the organization's row: another request may have carried it out, or its person may be
  // erased.
  const waiting = await waitingLine(change.tx, row, line.line);
  if (waiting === undefined) return;
  const { outcome, id } = await carryOut(asPart(change, row.entry), row, waiting, tools);
  if (outcome !== "same" && plans[outcome] !== line.plan) {
    const code = outcome === "created" ? "deleted_since_check" : "created_since_check";
    throw new LineRefused(line, storedReasons([wrong("", code)]));
  }
  await markLine(change.tx, line, { outcome, reason: null, subject_id: id });
};

/** Carries out a line by itself. */
const carryOutOne = async (
  organization: Organization,
  row: ImportRow,
  line: LineRow,
  tools: ImportTools,
): Promise<void> => {
  try {
    await organization.change((change) => carryOutWaiting(change, row, line, tools));
  } catch (error) {
    if (!(error instanceof LineRefused)) throw error;
    const refused = { outcome: "refused", reason: error.reason, subject_id: null } as const;
    await organization.change(({ tx }) => markLine(tx, line, refused));
  }
};

const carryOutEach = async (
  organization: Organization,
  row: ImportRow,
  lines: readonly LineRow[],
  tools: ImportTools,
): Promise<void> => {
  await Promise.all(lines.map((line) => carryOutOne(organization, row, line, tools)));
};

/**
 * Carries out all lines in one change. If one is refused, none is, and the import is ready again.
 */
const carryOutAll = async (
  organization: Organization,
  row: ImportRow,
  lines: readonly LineRow[],
  tools: ImportTools,
): Promise<void> => {
  try {
    await organization.change(async (change) => {
      // It may have been refused and confirmed again since the last look.
      const { entry } = await importOf(change.tx, organization.id, row.id);
      if (entry !== row.entry) return;
      for (const line of lines) await carryOutWaiting(await renewed(change), row, line, tools);
    });
  } catch (error) {
    if (!(error instanceof LineRefused)) throw error;
    const { line, reason } = error;
    await organization.change(async ({ tx }) => {
      // Another request may have carried out all of them.
      if (!(await waitingLine(tx, row, line.line))) return;
      const lines = tx.updateTable("import_lines").where("import_id", "=", row.id);
      await lines.set({ outcome: null }).execute();
      await lines
        .set({ plan: "refuse", reason })
        .where("line", "=", line.line)
        .where(mayTell(reason))
        .execute();
      await setImport(tx, row, { state: "ready", mode: null });
    });
  }
};

/** No line is left: the import can be confirmed, or is done. */
const finish = (organization: Organization, { id }: ImportRow): Promise<ImportRow> =>
  organization.change(async ({ tx, now }) => {
    const row = await importOf(tx, organization.id, id);
    // It may have been confirmed since the last look.
    if ((await nextLines(tx, row, 1)).length > 0) return row;
    if (row.state === "checking") return setImport(tx, row, { state: "ready" });
    if (row.state !== "running") return row;
    return setImport(tx, row, { state: "done", ended_at: now });
  });

/**
 * Checks or carries out the next lines of an import, for a moment.
 *
 * @returns the import: call again while it is `checking` or `running`
 * @throws Refusal `import_not_found`; `proof_needed` before a line that makes an administrator or changes an address
 */
export const continueImport = async (
  organization: Organization,
  importId: string,
  tools: ImportTools,
): Promise<ImportRow> => {
  const { read, id } = organization;
  const until = performance.now() + WORK_MS;
  let row = await importOf(read, id, importId);
  while (row.state === "checking" || row.state === "running") {
    const isAll = row.state === "running" && row.mode === "all";
    const lines = await nextLines(read, row, isAll ? ALL_LINES : TOGETHER);
    if (lines.length === 0) row = await finish(organization, row);
    else if (row.state === "checking") row = await checkLines(organization, row, lines, tools);
    else if (isAll) await carryOutAll(organization, row, lines, tools);
    else await carryOutEach(organization, row, lines, tools);
    if (isAll) row = await importOf(read, id, importId);
    if (performance.now() > until) break;
  }
  return row;
};
