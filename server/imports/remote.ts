import type { Client } from "../../contract/client.ts";
import { toImported } from "../../contract/imports/fields.ts";
import type { ImportKind, ImportLine, ImportSummary } from "../../contract/imports/imports.ts";
import type { Content, Fields } from "./read-service.ts";

/* Imports through a service's own interface, without a database. */

/** Receives the progress of each step. */
export type OnImportProgress = (what: string, done: number, of: number) => void;

/** A file to import. */
export type Upload = Parameters<Client["createImport"]>[0];

/** How it is carried out. */
export interface Wish {
  readonly mode: "all" | "possible";
  readonly emails: boolean;
  /** Check only, and forget. */
  readonly dryRun: boolean;
}

/** The effects of an import, or those that it would have. */
export interface Result {
  readonly import: ImportSummary;
  /** The refused lines, 1,000 at most. */
  readonly refused: readonly ImportLine[];
  /**
   * In a dry run, the lines that would create and those that would change something, at most 1,000
   * of each.
   */
  readonly creating: readonly ImportLine[];
  readonly changing: readonly ImportLine[];
}

const goOn = async (
  client: Client,
  started: ImportSummary,
  onProgress: OnImportProgress,
): Promise<ImportSummary> => {
  let current = started;
  const sum = (counts: Readonly<Record<string, number>>): number =>
    Object.values(counts).reduce((all, one) => all + one, 0);
  while (current.state === "checking" || current.state === "running") {
    const { import: next } = await client.continueImport({ importId: current.id });
    const checking = current.state === "checking";
    const done = sum(checking ? next.plan : next.done);
    onProgress(checking ? "lines checked" : "lines imported", done, next.lines);
    current = next;
  }
  return current;
};

/** Uploads a file, has it checked and, unless this is a dry run, carried out. */
export const runImport = async (
  client: Client,
  upload: Upload,
  { mode, emails, dryRun }: Wish,
  onProgress: OnImportProgress,
): Promise<Result> => {
  const made = await client.createImport(upload);
  let current = await goOn(client, made.import, onProgress);
  const importId = current.id;
  if (!dryRun && !(mode === "all" && current.plan.refuse > 0)) {
    const confirmed = await client.confirmImport({ importId, mode, emails });
    current = await goOn(client, confirmed.import, onProgress);
  }
  const linesOf = async (
    which: Pick<Parameters<Client["listImportLines"]>[0], "plan" | "outcome">,
  ) => (await client.listImportLines({ importId, limit: 1000, ...which })).lines;
  const isDone = current.state === "done";
  const result: Result = {
    import: current,
    refused: await linesOf(isDone ? { outcome: "refused" } : { plan: "refuse" }),
    creating: dryRun ? await linesOf({ plan: "create" }) : [],
    changing: dryRun ? await linesOf({ plan: "change" }) : [],
  };
  if (dryRun) await client.removeImport({ id: importId });
  return result;
};

/** The most lines and characters of one of several imports. */
const PIECE_LINES = 1000;
const PIECE_LETTERS = 500_000;

/** Entries in pieces that fit into one import each. */
const piecesOf = (entries: readonly Fields[]): string[] => {
  const pieces: string[][] = [];
  let letters = Number.POSITIVE_INFINITY;
  for (const entry of entries) {
    const text = JSON.stringify(entry);
    const last = pieces.at(-1);
    if (last === undefined || last.length >= PIECE_LINES || letters + text.length > PIECE_LETTERS) {
      pieces.push([text]);
      letters = text.length;
    } else {
      last.push(text);
      letters += text.length;
    }
  }
  return pieces.map((piece) => `[${piece.join(",")}]`);
};

/** The results of one kind over all of its imports. */
export interface Moved {
  readonly what: string;
  readonly created: number;
  readonly changed: number;
  readonly same: number;
  readonly refused: readonly Pick<ImportLine, "name" | "reason">[];
  /** In a dry run, what would change. */
  readonly changing: readonly ImportLine[];
  /** In a dry run, how many need people who are not there yet, and cannot be checked before. */
  readonly waiting: number;
}

/** The emails of an entry: its person's, or its owners'. */
const emailsIn = ({ email, roomOwnerId }: Fields): readonly string[] =>
  String(email ?? roomOwnerId ?? "")
    .toLowerCase()
    .split(",");

/** The imports of a service, in order, each with whether new people get an email. */
const stepsOf = (
  { users, rooms }: Content,
  emails: boolean,
): readonly (readonly [string, ImportKind, readonly Fields[], boolean])[] => {
  const owners = new Set(rooms.flatMap(emailsIn));
  const isOwner = (user: Fields) => emailsIn(user).some((email) => owners.has(email));
  const revoked = users.filter(({ accountDeleted }) => accountDeleted === true);
  // A revoked person cannot become an owner, and a suspended one cannot sign in.
  const untilRooms = revoked.map(({ accountDeleted, ...user }) =>
    isOwner(user) ? { ...user, accountSuspended: true } : { ...user, accountDeleted },
  );
  const afterRooms = revoked.filter(isOwner).map(({ id, email, accountSuspended }) => ({
    id,
    email,
    accountSuspended,
    accountDeleted: true,
  }));
  return [
    ["People", "users", users.filter((user) => !revoked.includes(user)), emails],
    ["Revoked people", "users", untilRooms, false],
    ["Rooms", "rooms", rooms, false],
    ["Revocations", "users", afterRooms, false],
  ];
};

/**
 * Copies people and then rooms from one service into another. Revoked people are never active on
 * the way: owners of rooms come suspended and are revoked after the rooms. Other people and rooms
 * of the target stay.
 */
export const moveContent = async (
  client: Client,
  content: Content,
  wish: Pick<Wish, "emails" | "dryRun">,
  onProgress: OnImportProgress,
): Promise<readonly Moved[]> => {
  const moved: Moved[] = [];
  /** In a dry run, who would be there by now. */
  const coming = new Set<string>();
  for (const [what, kind, entries, emails] of stepsOf(content, wish.emails)) {
    const ready = entries.filter((entry) => !emailsIn(entry).some((email) => coming.has(email)));
    const waiting = entries.length - ready.length;
    let total: Moved = {
      what,
      created: 0,
      changed: 0,
      same: 0,
      refused: [],
      changing: [],
      waiting,
    };
    for (const text of piecesOf(ready)) {
      const upload = { kind, format: "json", name: `${what} of another service`, text } as const;
      const {
        import: one,
        refused,
        creating,
        changing,
      } = await runImport(client, upload, { ...wish, emails, mode: "possible" }, onProgress);
      const { create, change, same } = one.plan;
      const done = wish.dryRun ? { created: create, changed: change, same } : one.done;
      total = {
        what,
        waiting,
        created: total.created + done.created,
        changed: total.changed + done.changed,
        same: total.same + done.same,
        refused: [...total.refused, ...refused],
        changing: [...total.changing, ...changing],
      };
      if (kind === "users") for (const { name } of creating) coming.add(name.toLowerCase());
    }
    moved.push(total);
  }
  return moved;
};

/** The comparison of source and target. */
export interface Comparison {
  readonly what: string;
  readonly source: number;
  readonly target: number;
  readonly identical: number;
  /** The entries on both sides, with the fields that differ. */
  readonly different: readonly { readonly name: string; readonly fields: readonly string[] }[];
  /** The entries that only the source has. */
  readonly missing: readonly string[];
  /** The entries that only the target has. */
  readonly extra: readonly string[];
  /** People with another ID in the target: theirs was taken, or their email had an account. */
  readonly renamed: readonly Readonly<Record<"name" | "source" | "target", string>>[];
}

const compareOne = (
  what: string,
  source: readonly Fields[],
  target: readonly Fields[],
  keysOf: (fields: Fields) => readonly string[],
): Comparison => {
  const nameOf = ({ email, name }: Fields): string => String(email ?? name);
  const known = new Map(target.flatMap((one) => keysOf(one).map((key) => [key, one] as const)));
  const missing: string[] = [];
  const different: { name: string; fields: string[] }[] = [];
  const renamed: Comparison["renamed"][number][] = [];
  const matched = new Set<Fields>();
  for (const one of source) {
    const name = nameOf(one);
    const other = known.get(keysOf(one).find((key) => known.has(key)) ?? "");
    if (other === undefined) {
      missing.push(name);
      continue;
    }
    matched.add(other);
    if (one.id !== other.id) {
      renamed.push({ name, source: String(one.id), target: String(other.id) });
    }
    const fields = Object.keys(one).filter(
      (field) =>
        field !== "id" &&
        JSON.stringify(one[field]) !== JSON.stringify(other[field]) &&
        JSON.stringify(toImported(field, one[field])) !== JSON.stringify(other[field]),
    );
    if (fields.length > 0) different.push({ name, fields });
  }
  return {
    what,
    source: source.length,
    target: target.length,
    different,
    missing,
    identical: source.length - different.length - missing.length,
    extra: target.filter((one) => !matched.has(one)).map(nameOf),
    renamed,
  };
};

/** Compares two services field by field: people by ID or email, rooms by ID, owners by email. */
export const compare = (source: Content, target: Content): readonly Comparison[] => [
  compareOne("People", source.users, target.users, ({ id, email }) => [
    `id ${id}`,
    `email ${String(email).toLowerCase()}`,
  ]),
  compareOne("Rooms", source.rooms, target.rooms, ({ room }) => [String(room)]),
];
