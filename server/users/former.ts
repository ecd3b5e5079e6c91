import { sql } from "kysely";
import { initialUserSettings } from "../../contract/people/settings.ts";
import { removeFactors } from "../access/authenticator.ts";
import { endTokens } from "../access/tokens.ts";
import type { Change, Queries } from "../change/organization.ts";
import type { UserRow } from "../db/tables.ts";
import { erasePiece } from "../history/forget.ts";
import { eraseBans, eraseWords } from "../meetings/state/erase-person.ts";
import { dropOwners, MENDED } from "../records/room-owners.ts";
import { storedSettings } from "../records/user-columns.ts";
import { hasDeliveries, rewriteDeliveries, shortenDeliveries } from "../webhooks/forget.ts";

/*
 * A person may own a hundred thousand rooms, whose records name their owners, and may have left as many
 * messages, captions and entries in the history. So a permanent deletion is a single short change that leaves
 * a former person: a row without personal data. No answer shows it; readers of records use it to skip its ID.
 * The rooms that still name the person are mended, and words and entries erased, in pieces, each in a
 * separate change. The last piece deletes the row.
 */

/** Columns that say nothing about the person; unique ones are replaced with one made from the ID. */
type Kept = "id" | "organization_id" | "credentials" | "account_deleted" | "created_at" | "gone_at";
type Replaced = "email_key" | "username";

/**
 * Begins the username of a former person. No username has it, but an imported ID may be somebody else's
 * username, in any organization.
 */
const NOBODYS = "~";

/** The erased values of all other columns. */
const erased: Omit<UserRow, Kept | Replaced | "updated_at"> = {
  email: "",
  email_fold: "",
  name: "",
  name_key: "",
  profile_id: "",
  ...storedSettings(initialUserSettings),
  // Lists of a role do not walk over former people.
  role: "",
  account_suspended: false,
  time_zone: null,
  language: null,
  color_scheme: "auto",
  password_digest: "",
  must_choose_password: false,
  personal_room: null,
  hidden_notice: null,
};

/** The most people that one request may delete. */
const MOST = 1000;

/** The columns that the bin keeps for a person; the username stays in the row, so it stays taken. */
const resting = ["email_key", ...(Object.keys(erased) as (keyof typeof erased)[])] as const;
type Resting = Pick<UserRow, (typeof resting)[number]>;

/** The values with which `unmakeFormer` brings somebody back. */
export const restingOf = (user: UserRow): Resting =>
  Object.fromEntries(resting.map((column) => [column, user[column]])) as Resting;

/** Erases the personal data in people's rows. If they `mayReturn`, their usernames stay taken. */
const eraseRows = async (
  { tx, now }: Pick<Change, "tx" | "now">,
  ids: readonly string[],
  { mayReturn }: { readonly mayReturn: boolean },
): Promise<void> => {
  await endTokens(tx, ids);
  if (!mayReturn) await removeFactors(tx, ids);
  await tx.deleteFrom("provider_sessions").where("user_id", "in", ids).execute();
  // Also in the bin: its userName is free, and the directory finds a person who returns by their address.
  await tx.deleteFrom("directory_people").where("user_id", "in", ids).execute();
  if (!mayReturn) await tx.deleteFrom("provider_links").where("user_id", "in", ids).execute();
  // An address that was invited before it had an account is theirs, too.
  for (const table of ["invitees", "notices"] as const) {
    await tx
      .deleteFrom(table)
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple("organization_id", "invitee"),
          "in",
          selectFrom("users")
            .select(["organization_id", "email_key"])
            .where("id", "in", ids)
            .$asTuple("organization_id", "email_key"),
        ),
      )
      .execute();
  }
  await tx
    .updateTable("users")
    .set(({ ref }) => ({
      ...erased,
      email_key: ref("id"),
      gone_at: now,
      ...(mayReturn ? {} : { username: sql<string>`${sql.lit(NOBODYS)} || id` }),
    }))
    .where("id", "in", ids)
    .execute();
};

/**
 * Makes people former ones who may come back: their rooms still name them, and are not mended while these
 * people rest in the bin (`goneForGood`).
 */
export const restFormer = (
  change: Pick<Change, "tx" | "now">,
  ids: readonly string[],
): Promise<void> => eraseRows(change, ids, { mayReturn: true });

/** Makes people former ones for good: `mendPiece` erases what is left of them. */
export const makeFormer = (
  change: Pick<Change, "tx" | "now">,
  ids: readonly string[],
): Promise<void> => eraseRows(change, ids, { mayReturn: false });

/** Brings a former person back. Fails if another account has the email address. */
export const unmakeFormer = async (tx: Queries, id: string, kept: Resting): Promise<UserRow> =>
  tx
    .updateTable("users")
    .set({ ...kept, gone_at: null })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Former people who are gone for good: not in the bin, and with no hand-over of their rooms in progress. */
export const goneForGood = (db: Queries) =>
  db
    .selectFrom("users")
    .where("gone_at", "is not", null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("bin").select("bin.id").whereRef("bin.user_id", "=", "users.id"))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("hand_overs").select("heirs").whereRef("hand_overs.user_id", "=", "users.id"),
        ),
      ),
    );

/**
 * Mends the next rooms of an organization that name former people, and erases the next of their words,
 * their entries in the history, their bans, and their names in waiting deliveries.
 *
 * @returns the people of whom only sent deliveries may be left; undefined if there may be more to do
 */
export const mendPiece = async (
  change: Pick<Change, "tx" | "organization">,
): Promise<readonly string[] | undefined> => {
  const { tx, organization } = change;
  const former = await goneForGood(tx)
    .select("id")
    .where("organization_id", "=", organization.id)
    .orderBy("id")
    .limit(MOST)
    .execute();
  if (former.length === 0) return [];
  const ids = former.map(({ id }) => id);
  if (await shortenDeliveries(change, ids)) return undefined;
  await dropOwners(tx, ids);
  await tx
    .updateTable("rooms")
    .set({ created_by: null })
    .where("id", "in", ({ selectFrom }) =>
      selectFrom("rooms").select("id").where("created_by", "in", ids).limit(MENDED),
    )
    .execute();
  await eraseWords(tx, ids);
  const unnamed = await erasePiece(change, await unnamedOf(tx, ids));
  if (unnamed.length === 0 || (await rewriteDeliveries(change, unnamed))) return undefined;
  if (await eraseBans(change, unnamed)) return undefined;
  if (await hasDeliveries(change)) return unnamed;
  await tx.deleteFrom("users").where("id", "in", unnamed).execute();
  return unnamed.length < ids.length || ids.length === MOST ? undefined : [];
};

/** The people among these whom no room and no seat names. */
const unnamedOf = async (tx: Queries, ids: readonly string[]): Promise<string[]> => {
  const unnamed = await tx
    .selectFrom("users")
    .select("id")
    .where("id", "in", ids)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("room_owners").select("room_id").whereRef("user_id", "=", "users.id"))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("rooms").select("id").whereRef("created_by", "=", "users.id"))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("seats").select("id").whereRef("user_id", "=", "users.id"))),
    )
    .execute();
  return unnamed.map(({ id }) => id);
};
