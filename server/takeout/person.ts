import type { HistoryEntry } from "../../contract/history/history.ts";
import { peerTypes } from "../../contract/meetings/meetings.ts";
import { findRestingUser } from "../bin/list.ts";
import { userSubject } from "../change/history.ts";
import type { Organization } from "../change/organization.ts";
import { now } from "../db/now.ts";
import { userPerson } from "../db/person-keys.ts";
import { rest } from "../db/pieces.ts";
import type { UserRow } from "../db/tables.ts";
import { allEntries } from "../history/export.ts";
import type { WantedEntries } from "../history/list.ts";
import { linesAbout } from "../imports/about.ts";
import { refuse } from "../lib/refusal.ts";
import { presentLetter } from "../mail/letter-states.ts";
import { reasonsIn } from "../records/import-reasons.ts";
import { presentListed } from "../records/present-user.ts";
import { findUser } from "../records/user-queries.ts";
import type { IdAndEmail } from "../users/import-telling.ts";
import { inOrder, mapped, type Pieces } from "./pieces.ts";
import {
  linkColumns,
  messageColumns,
  presentMessage,
  presentRecordingLink,
  presentSaid,
  presentStay,
  saidColumns,
  stayColumns,
} from "./present.ts";
import { invitees, ownedRooms } from "./rooms.ts";

/*
 * All data about one person, for that person: no password, token or key, and only IDs of other
 * people.
 */

type Known = Pick<Organization, "id" | "read" | "scan">;

const accountOf = (row: UserRow) => ({
  ...presentListed(row),
  timeZone: row.time_zone,
  language: row.language,
  colorScheme: row.color_scheme,
  hiddenNotice: row.hidden_notice,
  mustChoosePassword: row.must_choose_password,
});

/** The person's seats in meetings, and their places in a lobby. */
const seatsOf = ({ scan }: Known, userId: string) =>
  inOrder((after: { readonly seat: string } | undefined, size) =>
    scan
      .selectFrom("seats as s")
      .innerJoin("rooms as r", "r.id", "s.room_id")
      .select(stayColumns.map((column) => `s.${column}` as const))
      .select([
        "s.claimed_at",
        "s.id as seat",
        "s.meeting_id",
        "s.room_id",
        "r.room",
        "r.name as room_name",
      ])
      .where("s.user_id", "=", userId)
      .where("s.role", "in", peerTypes)
      .$if(after !== undefined, (query) => query.where("s.id", ">", after?.seat ?? ""))
      .orderBy("s.id")
      .limit(size)
      .execute(),
  );

/** The meetings of the person, and those at whose door they only waited. */
const meetings = (known: Known, userId: string): Pieces =>
  mapped(seatsOf(known, userId), (seat) => ({
    meetingId: seat.meeting_id,
    roomId: seat.room,
    roomName: seat.room_name,
    cameAt: seat.claimed_at,
    ...presentStay(seat),
  }));

/** The person's meetings. */
async function* staysOf(known: Known, userId: string) {
  for await (const seats of seatsOf(known, userId)) {
    const stays = seats.filter(({ joined_at }) => joined_at !== null);
    if (stays.length > 0) yield stays;
  }
}

/** The person's messages in chats that still exist. */
async function* messages(known: Known, userId: string): Pieces {
  for await (const stays of staysOf(known, userId)) {
    const rows = await known.scan
      .selectFrom("chat")
      .select(messageColumns)
      .where(
        "room_id",
        "in",
        stays.map(({ room_id }) => room_id),
      )
      .where(
        "seat_id",
        "in",
        stays.map(({ seat }) => seat),
      )
      .orderBy("sent_at")
      .execute();
    yield rows.map(presentMessage);
  }
}

/** The person's words in transcripts. */
async function* said(known: Known, userId: string): Pieces {
  for await (const stays of staysOf(known, userId)) {
    const rows = await known.scan
      .selectFrom("captions")
      .select(saidColumns)
      .where(
        "seat_id",
        "in",
        stays.map(({ seat }) => seat),
      )
      .where("kept", "=", true)
      .orderBy("started_at")
      .execute();
    yield rows.map(presentSaid);
  }
}

/** The recordings of the person's meetings. */
async function* recordings(known: Known, userId: string): Pieces {
  const seen = new Set<string>();
  for await (const stays of staysOf(known, userId)) {
    const meetingIds = stays.map(({ meeting_id }) => meeting_id).filter((id) => !seen.has(id));
    if (meetingIds.length === 0) continue;
    for (const id of meetingIds) seen.add(id);
    const rows = await known.scan
      .selectFrom("recordings as c")
      .innerJoin("rooms as r", "r.id", "c.room_id")
      .select(["c.id", "c.name", "c.meeting_id", "c.started_at", "c.ended_at", "c.started_by"])
      .select("r.room")
      .where(
        "c.room_id",
        "in",
        stays.map(({ room_id }) => room_id),
      )
      .where("c.meeting_id", "in", meetingIds)
      .execute();
    yield rows.map((row) => ({
      recordingId: row.id,
      name: row.name,
      meetingId: row.meeting_id,
      roomId: row.room,
      startedAt: row.started_at,
      endedAt: row.ended_at,
      startedByThem: row.started_by === userId,
    }));
  }
}

async function* emails({ read }: Known, userId: string): Pieces {
  const rows = await read
    .selectFrom("letters")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("created_at")
    .execute();
  yield rows.map(presentLetter);
}

async function* sessions({ read }: Known, userId: string): Pieces {
  const rows = await read
    .selectFrom("tokens")
    .select(["purpose", "created_at", "expires_at", "user_agent"])
    .where("user_id", "=", userId)
    .where("expires_at", ">", now())
    .orderBy("created_at")
    .execute();
  yield rows.map((row) => ({
    purpose: row.purpose,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    userAgent: row.user_agent,
  }));
}

async function* providerLinks({ read }: Known, userId: string): Pieces {
  yield await read
    .selectFrom("provider_links")
    .innerJoin("providers", "providers.id", "provider_links.provider_id")
    .select(["providers.name as provider", "providers.issuer", "provider_links.subject"])
    .select("provider_links.created_at as createdAt")
    .where("user_id", "=", userId)
    .orderBy("provider_links.created_at")
    .execute();
}

async function* directory({ read }: Known, userId: string): Pieces {
  yield await read
    .selectFrom("directory_people")
    .select(["user_name as userName", "external_id as externalId"])
    .select(["given_name as givenName", "family_name as familyName"])
    .where("user_id", "=", userId)
    .execute();
}

async function* passkeys({ read }: Known, userId: string): Pieces {
  yield await read
    .selectFrom("passkeys")
    .select(["name", "created_at as createdAt", "used_at as usedAt"])
    .where("user_id", "=", userId)
    .orderBy("id")
    .execute();
}

async function* links({ read }: Known, userId: string): Pieces {
  const rows = await read
    .selectFrom("recording_links")
    .select(linkColumns)
    .where("created_by", "=", userId)
    .orderBy("created_at")
    .execute();
  yield rows.map(presentRecordingLink);
}

async function* bans({ read, id }: Known, userId: string): Pieces {
  const rows = await read
    .selectFrom("bans as b")
    .innerJoin("rooms as r", "r.id", "b.room_id")
    .select(["r.room", "b.meeting_id", "b.created_at", "b.ends_at"])
    .where("b.organization_id", "=", id)
    .where("b.person", "=", userPerson(userId))
    .execute();
  yield rows.map((row) => ({
    roomId: row.room,
    meetingId: row.meeting_id,
    createdAt: row.created_at,
    endsAt: row.ends_at,
  }));
}

/** The lines of kept imports that name the person; values only if the line is about the person. */
async function* imports({ scan, id }: Known, person: IdAndEmail): Pieces {
  for await (const { of, lines } of linesAbout(scan, id, person)) {
    yield lines.map(({ isTheirs, line, name, given, changes, plan, outcome, reason }) => ({
      importId: of.id,
      file: of.name,
      kind: of.kind,
      createdAt: of.created_at,
      line: Number(line),
      plan,
      outcome,
      ...(isTheirs && {
        name,
        given: JSON.parse(given ?? "null"),
        reason: reasonsIn(reason).reason,
      }),
      ...(isTheirs && { changes: JSON.parse(changes ?? "null") }),
    }));
    await rest(0);
  }
}

/** Facts without the name of an excluded guest, which a room's entry may have. */
const withoutGuest = (facts: HistoryEntry["before"]): HistoryEntry["before"] => {
  const { peerName: _, ...others } = facts ?? {};
  return facts && others;
};

/** An entry of the history without other people's data. */
const withoutOthers = (
  { actor, subject, before, after, ...entry }: HistoryEntry,
  userId: string,
) => ({
  ...entry,
  actor: actor.id === userId ? actor : { kind: actor.kind, id: actor.id },
  ...(subject.kind === "user" && subject.id !== userId
    ? { subject: { kind: subject.kind, id: subject.id } }
    : { subject, before: withoutGuest(before), after: withoutGuest(after) }),
});

/** The person's actions, and those on the account. */
const history = (
  organization: Organization,
  userId: string,
  wanted: Pick<WantedEntries, "actorId" | "actorKind" | "subjectId" | "subjectKind">,
): Pieces =>
  mapped(allEntries(organization, { ...wanted, search: "" }), (entry) =>
    withoutOthers(entry, userId),
  );

/**
 * All data about one person, as the JSON text of one file, in pieces; the history records who took
 * it.
 *
 * @throws Refusal `user_not_found`
 */
export async function* personFile(
  organization: Organization,
  userId: string,
): AsyncGenerator<string> {
  const row =
    (await findUser(organization.read, organization.id, userId)) ??
    (await findRestingUser(organization, userId)) ??
    refuse("user_not_found");
  await organization.change(async ({ happened }) =>
    happened({ kind: "userExported", subject: userSubject(row) }),
  );
  const sections: Readonly<Record<string, Pieces>> = {
    rooms: ownedRooms(organization, row),
    meetings: meetings(organization, userId),
    messages: messages(organization, userId),
    said: said(organization, userId),
    recordings: recordings(organization, userId),
    recordingLinks: links(organization, userId),
    emails: emails(organization, userId),
    sessions: sessions(organization, userId),
    invitations: invitees(organization, row),
    bans: bans(organization, userId),
    imports: imports(organization, row),
    passkeys: passkeys(organization, userId),
    providerLinks: providerLinks(organization, userId),
    directory: directory(organization, userId),
    historyBy: history(organization, userId, { actorKind: "user", actorId: userId }),
    historyAbout: history(organization, userId, { subjectKind: "user", subjectId: userId }),
  };
  yield `{\n"account": ${JSON.stringify(accountOf(row))}`;
  for (const [name, pieces] of Object.entries(sections)) {
    yield `,\n${JSON.stringify(name)}: [`;
    let before = "\n";
    for await (const records of pieces) {
      if (records.length === 0) continue;
      yield before + records.map((record) => JSON.stringify(record)).join(",\n");
      before = ",\n";
    }
    yield "]";
  }
  yield "\n}\n";
}
