import type { Change } from "../change/organization.ts";

/*
 * A permanently deleted person may have a hundred thousand entries. So they are erased in pieces,
 * in the order of their numbers: erased ones come first, and a binary search finds where to
 * continue. The entries stay, and so does the chain.
 */

/** How many entries the deletion itself erases. */
const FEW = 2_000;
/**
 * How many entries, and of how many people, one change erases, so that others can run in between.
 */
const PIECE = { entries: 500, people: 10 } as const;

type Held = Pick<Change, "tx" | "organization">;
type Naming = ReturnType<typeof naming>;

/** How an entry names a person: as the actor or as the subject. */
const roles = [
  { id: "actor_id", kind: "actor_kind", text: "who", erased: { who: null, actor_key: null } },
  {
    id: "subject_id",
    kind: "subject_kind",
    text: "facts",
    erased: { facts: null, subject_key: null },
  },
] as const;
type Role = (typeof roles)[number];

/** The entries that name these people. */
const naming = ({ tx, organization }: Held, role: Role, ids: readonly string[]) =>
  tx
    .selectFrom("history")
    .where("organization_id", "=", organization.id)
    .where(role.id, "in", ids)
    .where(role.kind, "=", "user");

const erase = async (
  { tx, organization }: Held,
  { id, erased }: Role,
  numbers: readonly number[],
): Promise<void> => {
  if (numbers.length === 0) return;
  const entries = tx
    .updateTable("history")
    .where("organization_id", "=", organization.id)
    .where("number", "in", numbers);
  await entries.set(erased).execute();
  if (id === "actor_id") return;
  // Sign-in attempts: the actor has no account, only an address.
  await entries.set(roles[0].erased).where("actor_kind", "=", "anyone").execute();
};

/**
 * Erases people from the history, as actors and as subjects. Very many entries are left to
 * `erasePiece` in a later change, which looks for the entry about the deletion; that entry is
 * written when this change ends.
 *
 * @returns whether entries are left
 */
export const erasePeople = async (change: Held, ids: readonly string[]): Promise<boolean> => {
  let isLeft = false;
  for (const role of roles) {
    const found = await naming(change, role, ids).select("number").limit(FEW).execute();
    // With more, this would be an arbitrary subset; the rest is found in order.
    if (found.length === FEW) {
      isLeft = true;
      continue;
    }
    await erase(
      change,
      role,
      found.map(({ number }) => number),
    );
  }
  return isLeft;
};

/**
 * The number of the entry about a person's deletion: it and later entries do not name the person.
 */
const deletionOf = async ({ tx, organization }: Held, id: string): Promise<number> => {
  const entry = await tx
    .selectFrom("history")
    .select("number")
    .where("organization_id", "=", organization.id)
    .where("subject_id", "=", id)
    .where("kind", "=", "userDeleted")
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
  // If it is missing, everything before it has left the history too.
  return Number(entry?.number ?? 0);
};

/** The number of the first entry that is not erased; undefined if all are. */
const firstLeft = async (named: Naming, { text }: Role): Promise<number | undefined> => {
  const entries = named.select(["number", `${text} as text` as const]);
  const last = await entries.orderBy("number", "desc").limit(1).executeTakeFirst();
  if (last === undefined || last.text === null) return undefined;
  let [from, to, first] = [0, Number(last.number), Number(last.number)];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const entry = await entries
      .where("number", ">=", middle)
      .orderBy("number")
      .limit(1)
      .executeTakeFirstOrThrow();
    if (entry.text === null) from = Number(entry.number) + 1;
    else [to, first] = [middle, Number(entry.number)];
  }
  return first;
};

/** Erases a person's next entries. @returns how many; `most` if there may be more */
const eraseNext = async (change: Held, id: string, most: number): Promise<number> => {
  const end = await deletionOf(change, id);
  let left = most;
  for (const role of roles) {
    const named = naming(change, role, [id]).where("number", "<", end);
    const first = left === 0 ? undefined : await firstLeft(named, role);
    if (first === undefined) continue;
    const next = await named
      .select("number")
      .where("number", ">=", first)
      .orderBy("number")
      .limit(left)
      .execute();
    await erase(
      change,
      role,
      next.map(({ number }) => number),
    );
    left -= next.length;
  }
  return most - left;
};

/** Erases the next entries of people. @returns the people who are done */
export const erasePiece = async (change: Held, ids: readonly string[]): Promise<string[]> => {
  const erased: string[] = [];
  let left: number = PIECE.entries;
  for (const id of ids.slice(0, PIECE.people)) {
    left -= await eraseNext(change, id, left);
    if (left === 0) break;
    erased.push(id);
  }
  return erased;
};
