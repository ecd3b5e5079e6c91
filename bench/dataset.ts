import { createAccessKey } from "../server/access/access-keys.ts";
import { issueToken } from "../server/access/tokens.ts";
import { openOrganization, operator, type Queries } from "../server/change/organization.ts";
import { seed } from "../server/cli/seeding/seed.ts";
import { migrate } from "../server/db/migrate.ts";
import { type Database, openDatabase } from "../server/db/open.ts";
import type { DatabaseConfig } from "../server/db/place.ts";
import { createOrganization, organizationNamed } from "../server/organizations/organizations.ts";

export type DatabaseName = "SQLite" | "PostgreSQL";
export type Size = "small" | "medium" | "large";

/** How many rooms and people there are. */
export type Sizes = Readonly<Record<Size, { readonly rooms: number; readonly users: number }>>;

export const fullSizes: Sizes = {
  small: { rooms: 1000, users: 1000 },
  medium: { rooms: 100_000, users: 100_000 },
  large: { rooms: 1_000_000, users: 100_000 },
};
/** Small data, to check that everything works. */
export const quickSizes: Sizes = {
  small: { rooms: 1000, users: 1000 },
  medium: { rooms: 5000, users: 5000 },
  large: { rooms: 20_000, users: 5000 },
};

/** A dataset: where it is, and the parts of it that the targets use. */
export interface Dataset extends DatabaseConfig {
  readonly database: DatabaseName;
  readonly size: Size;
  readonly organizationId: string;
  readonly rooms: number;
  readonly users: number;
  /** Room IDs from all parts of the table. */
  readonly roomIds: readonly string[];
  /** Accounts that own a few rooms each: equally many in small and large organizations. */
  readonly ownerIds: readonly string[];
  /** Tokens of several accounts and access keys. */
  readonly tokens: readonly string[];
}

const NAME = "Bench";
const HOLDERS = 8;
const SAMPLES = 4096;
const OWNERS = 500;
const FEW = [5, 15] as const;

export const fill = async (
  config: DatabaseConfig,
  { rooms, users }: Sizes[Size],
  onProgress: (line: string) => void,
): Promise<void> => {
  const database = await openDatabase(config);
  try {
    await migrate(database);
    const { id } = await database.change((tx, send) => createOrganization({ tx, send }, NAME));
    const organization = openOrganization(database, id, operator);
    await seed(organization, { rooms, users, ownersMax: 3, seed: 1 }, (what, done, of) =>
      onProgress(`${done.toLocaleString("en")} of ${of.toLocaleString("en")} ${what}`),
    );
  } finally {
    await database.close();
  }
};

/** Room IDs from all parts of the table: the first one after each of many positions. */
const sampleRooms = async (db: Queries, organizationId: string): Promise<string[]> => {
  const rooms: string[] = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    const place = String(Math.floor(Math.random() * 10 ** 10)).padStart(10, "0");
    const row = await db
      .selectFrom("rooms")
      .select("room")
      .where("organization_id", "=", organizationId)
      .where("room", ">=", place)
      .orderBy("room")
      .limit(1)
      .executeTakeFirst();
    if (row) rooms.push(row.room);
  }
  return rooms;
};

/** Accounts that own a few rooms, the newest first: the oldest accounts own very many. */
const sampleOwners = async (db: Queries, organizationId: string): Promise<string[]> => {
  const owners: string[] = [];
  for (let before = "~"; owners.length < OWNERS; ) {
    const people = await db
      .selectFrom("users")
      .select("id")
      .where("organization_id", "=", organizationId)
      .where("id", "<", before)
      .orderBy("id", "desc")
      .limit(OWNERS)
      .execute();
    const ids = people.map(({ id }) => id);
    if (ids.length === 0) break;
    const found = await db
      .selectFrom("room_owners")
      .select("user_id")
      .where("user_id", "in", ids)
      .groupBy("user_id")
      .having(({ fn }) => fn.countAll(), ">=", FEW[0])
      .having(({ fn }) => fn.countAll(), "<=", FEW[1])
      .execute();
    owners.push(...found.map(({ user_id }) => user_id));
    before = ids.at(-1) ?? "";
  }
  return owners.slice(0, OWNERS);
};

/** Tokens of access keys and of administrators, half of each. */
const makeTokens = (database: Database, organizationId: string): Promise<string[]> =>
  database.change(async (tx) => {
    const admins = await tx
      .selectFrom("users")
      .select("id")
      .where("organization_id", "=", organizationId)
      .where("admin", "=", true)
      .where("account_suspended", "=", false)
      .where("account_deleted", "=", false)
      .limit(HOLDERS)
      .execute();
    const tokens: string[] = [];
    for (const { id: userId } of admins) {
      const { accessKey } = await createAccessKey({
        tx,
        organization: { id: organizationId },
        now: new Date().toISOString(),
        happened: () => {},
      });
      for (const holder of [{ userId }, { accessKey }]) {
        const { token } = await issueToken(tx, { organizationId, ...holder }, "access");
        tokens.push(token);
      }
    }
    return tokens;
  });

/** Reads a dataset that exists. */
export const inspect = async (
  config: DatabaseConfig,
  database: DatabaseName,
  size: Size,
): Promise<Dataset> => {
  const opened = await openDatabase(config);
  try {
    await migrate(opened);
    const { id, used_rooms, used_users } = await organizationNamed(opened.read, NAME);
    return {
      ...config,
      database,
      size,
      organizationId: id,
      rooms: used_rooms,
      users: used_users,
      roomIds: await sampleRooms(opened.read, id),
      ownerIds: await sampleOwners(opened.read, id),
      tokens: await makeTokens(opened, id),
    };
  } finally {
    await opened.close();
  }
};
