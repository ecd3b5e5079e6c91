import type { z } from "zod";
import type {
  createdUser,
  editedUser,
  listedUser,
  revokedUser,
} from "../../contract/user-record.ts";
import type { UserRow } from "../db/tables.ts";

/** What is read of an account to answer it. */
export const shownColumns = [
  "id",
  "email",
  "name",
  "created_at",
  "location",
  "username",
  "role",
  "account_suspended",
  "account_deleted",
  "profile_id",
  "meet_now_enabled",
  "display_rating",
  "tags",
  "admin",
  "name_key",
] as const;
export type ShownRow = Pick<UserRow, (typeof shownColumns)[number]>;

/** An account as the answer to its creation carries it. */
export const presentCreated = (row: ShownRow): z.output<typeof createdUser> => ({
  id: row.id,
  email: row.email,
  name: row.name,
  createdAt: row.created_at,
  location: row.location,
  username: row.username,
  role: row.role,
  accountSuspended: row.account_suspended,
  accountDeleted: row.account_deleted,
  meetNowEnabled: row.meet_now_enabled,
  tags: JSON.parse(row.tags),
  admin: row.admin,
});

/** An account as the answer to an edit carries it. */
export const presentEdited = (row: ShownRow): z.output<typeof editedUser> => ({
  ...presentCreated(row),
  displayRating: row.display_rating,
});

/** An account as the lists carry it. */
export const presentListed = (row: ShownRow): z.output<typeof listedUser> => ({
  ...presentEdited(row),
  profileId: row.profile_id,
});

/** What the entity tag of an account is made from, whichever of its keys an answer carries. */
export const versionOf = (row: ShownRow): string => JSON.stringify(presentListed(row));

/** An account with the rooms that it owns, as the lists in pages carry it: JSON. */
export const presentPaged = (
  row: ShownRow,
  { names, rooms }: { readonly names: string; readonly rooms: string },
): string =>
  `${JSON.stringify(presentListed(row)).slice(0, -1)},"rooms":${names},"roomIds":${rooms}}`;

/** A revoked account as the list without pages carries it. */
export const presentRevoked = (row: ShownRow): z.output<typeof revokedUser> => ({
  id: row.id,
  email: row.email,
  name: row.name,
  createdAt: row.created_at,
  location: row.location,
  username: row.username,
  role: row.role,
  accountSuspended: row.account_suspended,
  profileId: row.profile_id,
  meetNowEnabled: row.meet_now_enabled,
});
