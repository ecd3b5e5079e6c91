import { DatabaseSync } from "node:sqlite";
import { type Kysely, sql } from "kysely";
import { keepHistory, recordingSubject, roomSubject } from "../../server/change/history.ts";
import { operator } from "../../server/change/organization.ts";
import { migrate } from "../../server/db/migrate.ts";
import { type Database, openDatabase } from "../../server/db/open.ts";
import type { DatabaseConfig } from "../../server/db/place.ts";
import { checkSeal, openSeal } from "../../server/db/seal.ts";
import type { Tables } from "../../server/db/tables.ts";
import { postLetter } from "../../server/mail/outbox.ts";
import { content } from "../mail/posted-letters.ts";
import { organization, user } from "../world/empty-database.ts";
import { secret } from "./command-line.ts";
import { addMeeting } from "./meeting-rows.ts";

const at = "2026-01-31T09:30:00.000Z";

/** Texts that the two databases might store differently. */
const awkward = [
  "😀 𝒳 ﷽",
  "",
  " ",
  "'\"\\%_",
  "null",
  "1",
  "true",
  '{"a": [1, null]}',
  "\u007f\t\r\n",
  "é e\u0301 İ ß",
];

export const opened = async <T>(
  place: DatabaseConfig,
  work: (db: Database) => Promise<T>,
): Promise<T> => {
  const database = await openDatabase(place);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
};

/** The stored dates of a room. */
const addSchedule = async (tx: Kysely<Tables>): Promise<void> => {
  const of = { organization_id: "o1", uid: "u@parley" };
  await tx
    .insertInto("schedules")
    .values({
      ...of,
      room_id: "r0",
      sequence: 1,
      starts_at: at,
      time_zone: "Europe/Berlin",
      minutes: 60,
      repetition: null,
      ends_at: at,
      remind_at: null,
      removed_at: null,
      former: null,
    })
    .execute();
  const invitee = { organization_id: "o1", user_id: "u1", email: null, invitee: "u1" };
  await tx
    .insertInto("invitees")
    .values({ id: "i1", room_id: "r0", letter_id: null, ...invitee })
    .execute();
  await tx
    .insertInto("notices")
    .values({
      id: "n1",
      ...of,
      ...invitee,
      topic: "calendar",
      kind: "meeting-change",
      event: "{}",
      due_at: "2999-01-31T09:30:00.000Z",
    })
    .execute();
};

/** Fills a new database with this many rooms, something in every table, and one waiting letter. */
export const fill = async (place: DatabaseConfig, rooms: number): Promise<void> => {
  const seal = await openSeal({ secret, dataDir: place.dataDir });
  await opened(place, async (database) => {
    await migrate(database);
    await database.change(async (tx, send) => {
      await checkSeal(tx, seal);
      await tx.updateTable("service").set({ initialized_at: at }).execute();
      const counters = {
        used_rooms: rooms,
        used_users: 2,
        max_rooms: 2 ** 53 - 1,
        max_users: null,
      };
      await tx
        .insertInto("organizations")
        .values({ ...organization("o1"), ...counters, plan: "" })
        .execute();
      const logo = { digest: "d".repeat(64), type: "image/png", picture: "iVBORw0KGgo=" };
      await tx
        .insertInto("logos")
        .values({ organization_id: "o1", ...logo })
        .execute();
      await tx
        .insertInto("users")
        .values([
          { ...user("u1"), tags: '["😀"]' },
          { ...user("u2"), admin: false, location: "" },
        ])
        .execute();
      for (let first = 0; first < rooms; first += 100)
        await addRooms(tx, first, Math.min(100, rooms - first));
      await addMeeting(tx, at);
      const end = { id: "o1", history_number: 0, history_digest: "" };
      const thing = { room: "room-0", name: "😀" };
      keepHistory({ tx, send, organization: end, caller: operator, now: at, address: null }, [
        { kind: "roomDeleted", subject: roomSubject(thing) },
        { kind: "recordingStarted", subject: recordingSubject({ ...thing, id: "v1" }) },
      ]);
      await addSchedule(tx);
      await tx
        .insertInto("bin")
        .values({
          id: "r0",
          organization_id: "o1",
          room_id: "r0",
          user_id: null,
          name: "😀",
          name_key: "😀",
          kept: "{}",
          deleted_at: at,
          ends_at: "2999-01-31T09:30:00.000Z",
        })
        .execute();
      await tx
        .insertInto("undoings")
        .values({
          organization_id: "o1",
          number: 1,
          state: "running",
          entry: null,
          entries: 2,
          reached: Number.MAX_SAFE_INTEGER,
          done: 0,
          stayed: 0,
        })
        .execute();
      await tx
        .insertInto("hand_overs")
        .values({
          user_id: "u1",
          organization_id: "o1",
          heirs: '["u2"]',
          by_user: null,
          by_access_key: "k1",
          created_at: at,
        })
        .execute();
      await tx
        .insertInto("access_keys")
        .values({
          id: "k1",
          organization_id: "o1",
          secret_digest: "d",
          created_at: at,
          name: "Key",
          scope: "rooms",
          expires_at: at,
          last_used_at: at,
        })
        .execute();
      await tx
        .insertInto("providers")
        .values({
          ...{ id: "p1", organization_id: "o1", name: "😀", issuer: "https://x.example/" },
          enabled: true,
          client_secret: null,
          settings: "{}",
          created_at: at,
          updated_at: at,
        })
        .execute();
      const subject = { provider_id: "p1", user_id: "u1", subject: "😀" };
      await tx
        .insertInto("provider_links")
        .values({ ...subject, organization_id: "o1", created_at: at })
        .execute();
      await tx
        .insertInto("directory_people")
        .values({
          user_id: "u1",
          organization_id: "o1",
          user_name: "😀",
          user_name_key: "😀",
          external_id: "😀",
          given_name: null,
          family_name: null,
        })
        .execute();
      await tx
        .insertInto("provider_sessions")
        .values({
          ...subject,
          session: "s1",
          sid: null,
          id_token: null,
          ends_at: "2999-01-31T09:30:00.000Z",
        })
        .execute();
      await tx
        .insertInto("invitations")
        .values({
          digest: "i1",
          organization_id: "o1",
          room_id: "r0",
          access_key_id: "k1",
          person: "key:k1/x",
          peer_name: "X",
          role: "viewer",
          created_at: at,
          expires_at: "2999-01-31T09:30:00.000Z",
        })
        .execute();
      await tx
        .insertInto("authenticators")
        .values({
          user_id: "u1",
          organization_id: "o1",
          secret: "v1.s",
          last_step: 5e7,
          created_at: at,
          confirmed_at: at,
        })
        .execute();
      await tx
        .insertInto("recovery_codes")
        .values({ digest: "r1", user_id: "u1", organization_id: "o1" })
        .execute();
      await tx
        .insertInto("passkeys")
        .values({
          id: "p1",
          user_id: "u1",
          organization_id: "o1",
          credential_id: "c1",
          public_key: "k",
          counter: 5,
          transports: "usb nfc",
          name: "Key",
          created_at: at,
          used_at: null,
        })
        .execute();
      await tx
        .insertInto("passkey_challenges")
        .values({
          challenge: "c",
          purpose: "prove",
          user_id: "u1",
          expires_at: "2999-01-31T09:30:00.000Z",
        })
        .execute();
      const token = {
        purpose: "access",
        organization_id: "o1",
        created_at: at,
        expires_at: "2999-01-31T09:30:00.000Z",
      } as const;
      await tx
        .insertInto("tokens")
        .values([
          { ...token, digest: "d1", user_id: "u1", access_key_id: null },
          { ...token, digest: "d2", user_id: null, access_key_id: "k1" },
        ])
        .execute();
      await addWebhook(tx);
      await tx
        .insertInto("kept_answers")
        .values({
          digest: "a1",
          organization_id: "o1",
          request: "q1",
          claim: "c1",
          lease_until: at,
          answer: null,
          created_at: at,
        })
        .execute();
      await tx
        .insertInto("imports")
        .values({
          id: "n1",
          organization_id: "o1",
          kind: "users",
          form: "parley",
          name: "😀",
          state: "running",
          mode: "all",
          emails: true,
          lines: 1,
          planned: 1,
          ignored: "[]",
          read: "{}",
          created_at: at,
          ended_at: null,
        })
        .execute();
      await tx
        .insertInto("import_lines")
        .values({
          import_id: "n1",
          line: 2,
          name: "😀",
          given: "{}",
          plan: "create",
          outcome: null,
          reason: null,
          subject_id: null,
          changes: null,
        })
        .execute();
      await tx
        .insertInto("import_columns")
        .values({
          organization_id: "o1",
          kind: "users",
          headings: "h1",
          columns: '["name",null]',
          used_at: at,
        })
        .execute();
      await tx
        .insertInto("line_erasures")
        .values({
          organization_id: "o1",
          id: "e1",
          people: '{"ids":["u1"],"emails":[]}',
          until: at,
          import_id: "",
          line: null,
        })
        .execute();
      await tx.insertInto("throttles").values({ key: "somebody", used_until: at }).execute();
      await postLetter({ tx, leaveWork() {} }, seal, {
        organizationId: "o1",
        userId: "u1",
        recipient: "u1",
        credentials: 0,
        kind: "welcome",
        content,
      });
    });
  });
};

/** A webhook that has failed, with a delivery that was erased together with its person. */
const addWebhook = async (tx: Kysely<Tables>): Promise<void> => {
  await tx
    .insertInto("webhooks")
    .values({
      ...{ id: "h1", organization_id: "o1", url: "https://example.org/", description: "😀" },
      events: '["roomCreated"]',
      state: "failed",
      secret: "s",
      last_number: 2 ** 53 - 1,
      former_secret: null,
      former_until: null,
      failing_since: at,
      created_at: at,
      updated_at: at,
    })
    .execute();
  await tx
    .insertInto("deliveries")
    .values({
      id: "d1",
      organization_id: "o1",
      webhook_id: "h1",
      number: 2 ** 53 - 1,
      event: "userDeleted",
      subject: "user:u9",
      body: null,
      state: "failed",
      attempts: 3,
      attempts_before: 1,
      due_at: at,
      queued_at: at,
      status: 500,
      answer: "\t",
      milliseconds: 9,
      last_error: "😀",
      created_at: at,
      ended_at: at,
    })
    .execute();
};

const addRooms = async (tx: Kysely<Tables>, first: number, count: number): Promise<void> => {
  const numbers = Array.from({ length: count }, (_, n) => first + n);
  const text = (n: number) => awkward[n % awkward.length] ?? "";
  await tx
    .insertInto("rooms")
    .values(
      numbers.map((n) => ({
        id: `r${n}`,
        organization_id: "o1",
        room: `room-${n}`,
        name: text(n),
        name_key: text(n),
        created_by: n % 3 === 0 ? null : "u1",
        created_at: at,
        updated_at: at,
        deleted_at: null,
        order_key: text(n),
        type: text(n),
        state: "free",
        use_key: text(n),
        form: 1,
        record: JSON.stringify({ name: text(n), n }),
        extras: text(n + 1),
      })),
    )
    .execute();
  const owners = numbers.flatMap((n) =>
    ["u2", "u1"].map((user_id) => ({ user_id, room_id: `r${n}`, organization_id: "o1" })),
  );
  await tx.insertInto("room_owners").values(owners).execute();
};

/** Every row of every table, in its own order, and read by other code than that which copies them. */
export const contents = async (place: DatabaseConfig): Promise<Record<string, string[]>> =>
  await opened(place, async ({ read, name }) => {
    const { rows: tables } =
      name === "sqlite"
        ? await sql<{
            readonly name: string;
          }>`select name from sqlite_schema where type = 'table'`.execute(read)
        : await sql<{
            readonly name: string;
          }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(read);
    const found: Record<string, string[]> = {};
    for (const { name } of tables.filter((table) => !table.name.startsWith("kysely_"))) {
      const { rows } = await sql`select * from ${sql.table(name)}`.execute(read);
      found[name] = rows.map((row) => JSON.stringify(Object.entries(row as object).sort())).sort();
    }
    return Object.fromEntries(Object.entries(found).sort());
  });

/**
 * The inconsistencies in a database that should be of one moment: counters that differ from the real counts,
 * and dangling references.
 */
export const faults = (file: string): string[] => {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const checks = {
      integrity: "select * from pragma_integrity_check where integrity_check <> 'ok'",
      references: "select * from pragma_foreign_key_check",
      rooms:
        "select id from organizations o where used_rooms <> (select count(*) from rooms where organization_id = o.id and deleted_at is null)",
      people:
        "select id from organizations o where used_users <> (select count(*) from users where organization_id = o.id and not account_deleted)",
      letters:
        "select id from users u where username not like 'administrator%' and not exists (select 1 from letters where user_id = u.id)",
      creators:
        "select id from rooms where created_by is not null and created_by not in (select id from users)",
    };
    return Object.entries(checks).flatMap(([name, query]) =>
      db
        .prepare(query)
        .all()
        .map((row) => `${name}: ${JSON.stringify(row)}`),
    );
  } finally {
    db.close();
  }
};
