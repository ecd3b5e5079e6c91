import { settingsOf } from "../../contract/kit/organization-settings.ts";
import { peerTypes } from "../../contract/meetings/meetings.ts";
import { listAccessKeys } from "../access/access-keys.ts";
import { presentBinEntry } from "../bin/list.ts";
import type { Organization } from "../change/organization.ts";
import { allEntries } from "../history/export.ts";
import { presentLetter } from "../mail/letter-states.ts";
import { presentRecording } from "../meetings/captures/recordings.ts";
import { presentListed } from "../records/present-user.ts";
import { providersOf, settingsOfProvider } from "../sign-in/providers.ts";
import { allUsers } from "../users/lists.ts";
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
import { bans, invitees, roomExists, takenLinks, takenRooms, takenSchedules } from "./rooms.ts";

/*
 * All data of an organization, by kind. Rooms include passwords and stream keys, as every answer
 * about a room does; passwords of people, tokens and secrets of access keys are never included.
 */

async function* itself({ read, id }: Organization): Pieces {
  const logo = await read
    .selectFrom("logos")
    .select(["type", "picture"])
    .where("organization_id", "=", id)
    .executeTakeFirst();
  const row = await read
    .selectFrom("organizations")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  yield [
    {
      id,
      name: row.name,
      plan: row.plan,
      createdAt: row.created_at,
      limits: { rooms: row.max_rooms, users: row.max_users },
      settings: settingsOf(row),
      logo: logo ?? null,
    },
  ];
}

/** The values besides the listed fields of people: their choices and personal rooms. */
const besideLists = async ({ scan, id }: Organization, ids: readonly string[]) => {
  const rows = await scan
    .selectFrom("users as u")
    .leftJoin("rooms as r", (join) =>
      join.onRef("r.id", "=", "u.personal_room").on("r.deleted_at", "is", null),
    )
    .select(["u.id", "u.time_zone", "u.language", "u.color_scheme", "r.room"])
    .where("u.organization_id", "=", id)
    .where("u.id", "in", ids)
    .execute();
  return new Map(
    rows.map(({ id, time_zone, language, color_scheme, room }) => [
      id,
      { timeZone: time_zone, language, colorScheme: color_scheme, personalRoomId: room },
    ]),
  );
};

async function* people(organization: Organization): Pieces {
  for (const revoked of [false, true]) {
    for await (const users of allUsers(organization, undefined, revoked)) {
      const beside = await besideLists(
        organization,
        users.map(({ id }) => id),
      );
      yield users.map((user) => ({ ...presentListed(user), ...beside.get(user.id) }));
    }
  }
}

async function* accessKeys(organization: Organization): Pieces {
  yield await listAccessKeys(organization);
}

/** The rooms and people in the recycle bin. */
const bin = ({ scan, id }: Organization): Pieces =>
  mapped(
    inOrder((after: { readonly id: string } | undefined, size) =>
      scan
        .selectFrom("bin")
        .leftJoin("rooms", "rooms.id", "bin.room_id")
        .selectAll("bin")
        .select("rooms.room")
        .where("bin.organization_id", "=", id)
        .$if(after !== undefined, (query) => query.where("bin.id", ">", after?.id ?? ""))
        .orderBy("bin.id")
        .limit(size)
        .execute(),
    ),
    presentBinEntry,
  );

/** The meetings that took place, oldest first. */
const heldMeetings = ({ scan, id }: Organization) =>
  inOrder((after: { readonly started_at: string | null; readonly id: string } | undefined, size) =>
    scan
      .selectFrom("meetings as m")
      .innerJoin("rooms as r", "r.id", "m.room_id")
      .select(["m.id", "m.started_at", "m.ended_at", "m.seconds", "r.room", "r.name"])
      .where("m.organization_id", "=", id)
      .where("m.started_at", "is not", null)
      .where(roomExists("r"))
      .$if(after !== undefined, (query) =>
        query.where(({ eb, refTuple, tuple }) =>
          eb(
            refTuple("m.started_at", "m.id"),
            ">",
            tuple(after?.started_at ?? "", after?.id ?? ""),
          ),
        ),
      )
      .orderBy("m.started_at")
      .orderBy("m.id")
      .limit(size)
      .execute(),
  );

async function* meetings(organization: Organization): Pieces {
  for await (const held of heldMeetings(organization)) {
    const seats = await organization.scan
      .selectFrom("seats")
      .select(stayColumns)
      .select("meeting_id")
      .where(
        "meeting_id",
        "in",
        held.map(({ id }) => id),
      )
      .where("role", "in", peerTypes)
      .where("joined_at", "is not", null)
      .orderBy("joined_at")
      .execute();
    const byMeeting = Map.groupBy(seats, ({ meeting_id }) => meeting_id);
    yield held.map((row) => ({
      meetingId: row.id,
      roomId: row.room,
      roomName: row.name,
      startedAt: row.started_at,
      endedAt: row.ended_at,
      seconds: row.seconds,
      attendance: (byMeeting.get(row.id) ?? []).map(presentStay),
    }));
  }
}

/** The counters of meetings, which outlive them. */
const usage = ({ scan, id }: Organization): Pieces =>
  mapped(
    inOrder((after: { readonly id: string } | undefined, size) =>
      scan
        .selectFrom("usage_meetings as u")
        .leftJoin("rooms as r", "r.id", "u.room_id")
        .selectAll("u")
        .select("r.room")
        .where("u.organization_id", "=", id)
        .$if(after !== undefined, (query) => query.where("u.id", ">", after?.id ?? ""))
        .orderBy("u.id")
        .limit(size)
        .execute(),
    ),
    (row) => ({
      meetingId: row.id,
      roomId: row.room,
      roomType: row.room_type,
      startedAt: row.started_at,
      endedAt: row.ended_at,
      seconds: Number(row.seconds),
      people: Number(row.people),
      minutes: Math.round(Number(row.person_seconds) / 60),
      recordings: Number(row.recordings),
    }),
  );

/** The transcript of each meeting, as text. */
async function* transcripts(organization: Organization): Pieces {
  for await (const held of heldMeetings(organization)) {
    for (const { id } of held) {
      yield* mapped(
        inOrder((after: { readonly number: number } | undefined, size) =>
          organization.scan
            .selectFrom("captions")
            .select(saidColumns)
            .where("meeting_id", "=", id)
            .where("kept", "=", true)
            .where("number", ">", after?.number ?? 0)
            .orderBy("number")
            .limit(size)
            .execute(),
        ),
        presentSaid,
      );
    }
  }
}

/** The chat messages that rooms still keep. */
async function* chat({ scan, id }: Organization): Pieces {
  const talking = inOrder((after: { readonly id: string } | undefined, size) =>
    scan
      .selectFrom("rooms")
      .select(["id", "room"])
      .where("organization_id", "=", id)
      .where(({ exists, selectFrom }) =>
        exists(selectFrom("chat").select("number").whereRef("chat.room_id", "=", "rooms.id")),
      )
      .$if(after !== undefined, (query) => query.where("id", ">", after?.id ?? ""))
      .orderBy("id")
      .limit(size)
      .execute(),
  );
  for await (const some of talking) {
    for (const { id: room_id, room } of some) {
      yield* mapped(
        inOrder((after: { readonly number: number } | undefined, size) =>
          scan
            .selectFrom("chat")
            .select(messageColumns)
            .where("room_id", "=", room_id)
            .where("number", ">", after?.number ?? 0)
            .orderBy("number")
            .limit(size)
            .execute(),
        ),
        (message) => ({ roomId: room, number: message.number, ...presentMessage(message) }),
      );
    }
  }
}

const recordings = ({ scan, id }: Organization): Pieces =>
  mapped(
    inOrder((after: { readonly requested_at: string; readonly id: string } | undefined, size) =>
      scan
        .selectFrom("recordings as c")
        .innerJoin("rooms as r", "r.id", "c.room_id")
        .selectAll("c")
        .select(["r.room", "r.name as room_name"])
        .where("c.organization_id", "=", id)
        .where(roomExists("r"))
        .$if(after !== undefined, (query) =>
          query.where(({ eb, refTuple, tuple }) =>
            eb(
              refTuple("c.requested_at", "c.id"),
              ">",
              tuple(after?.requested_at ?? "", after?.id ?? ""),
            ),
          ),
        )
        .orderBy("c.requested_at")
        .orderBy("c.id")
        .limit(size)
        .execute(),
    ),
    ({ room, room_name, ...row }) => ({
      ...presentRecording(row, { room, name: room_name }),
      files: JSON.parse(row.files ?? "[]"),
    }),
  );

/** The links that play recordings, including ended ones. */
const recordingLinks = ({ scan, id }: Organization): Pieces =>
  mapped(
    inOrder((after: { readonly id: string } | undefined, size) =>
      scan
        .selectFrom("recording_links")
        .select(linkColumns)
        .where("organization_id", "=", id)
        .$if(after !== undefined, (query) => query.where("id", ">", after?.id ?? ""))
        .orderBy("id")
        .limit(size)
        .execute(),
    ),
    (row) => ({ ...presentRecordingLink(row), createdBy: row.created_by }),
  );

const emails = ({ scan, id }: Organization): Pieces =>
  mapped(
    inOrder((after: { readonly created_at: string; readonly id: string } | undefined, size) =>
      scan
        .selectFrom("letters")
        .selectAll()
        .where("organization_id", "=", id)
        .$if(after !== undefined, (query) =>
          query.where(({ eb, refTuple, tuple }) =>
            eb(refTuple("created_at", "id"), ">", tuple(after?.created_at ?? "", after?.id ?? "")),
          ),
        )
        .orderBy("created_at")
        .orderBy("id")
        .limit(size)
        .execute(),
    ),
    presentLetter,
  );

async function* webhooks({ read, id }: Organization): Pieces {
  const rows = await read
    .selectFrom("webhooks")
    .select(["id", "url", "description", "events", "state", "created_at"])
    .where("organization_id", "=", id)
    .orderBy("created_at")
    .execute();
  yield rows.map(({ created_at, events, ...row }) => ({
    ...row,
    events: JSON.parse(events),
    createdAt: created_at,
  }));
}

async function* providers({ read, id }: Organization): Pieces {
  yield (await providersOf(read, id)).map((row) => ({
    id: row.id,
    name: row.name,
    issuer: row.issuer,
    on: row.enabled,
    ...settingsOfProvider(row),
    createdAt: row.created_at,
  }));
}

/** The accounts of the people of providers. */
const providerLinks = ({ scan, id }: Organization): Pieces =>
  mapped(
    inOrder((after: { readonly user_id: string; readonly provider_id: string } | undefined, size) =>
      scan
        .selectFrom("provider_links")
        .selectAll()
        .where("organization_id", "=", id)
        .$if(after !== undefined, (query) =>
          query.where(({ eb, refTuple, tuple }) =>
            eb(
              refTuple("user_id", "provider_id"),
              ">",
              tuple(after?.user_id ?? "", after?.provider_id ?? ""),
            ),
          ),
        )
        .orderBy("user_id")
        .orderBy("provider_id")
        .limit(size)
        .execute(),
    ),
    (row) => ({
      userId: row.user_id,
      providerId: row.provider_id,
      subject: row.subject,
      createdAt: row.created_at,
    }),
  );

/** The directory's data about people. */
const directory = ({ scan, id }: Organization): Pieces =>
  mapped(
    inOrder((after: { readonly user_id: string } | undefined, size) =>
      scan
        .selectFrom("directory_people")
        .selectAll()
        .where("organization_id", "=", id)
        .$if(after !== undefined, (query) => query.where("user_id", ">", after?.user_id ?? ""))
        .orderBy("user_id")
        .limit(size)
        .execute(),
    ),
    (row) => ({
      userId: row.user_id,
      userName: row.user_name,
      externalId: row.external_id,
      givenName: row.given_name,
      familyName: row.family_name,
    }),
  );

const history = (organization: Organization): Pieces => allEntries(organization, { search: "" });

/** The contents of an organization's archive, by file name. */
export const contents = {
  organization: itself,
  people,
  "access-keys": accessKeys,
  rooms: takenRooms,
  links: takenLinks,
  schedules: takenSchedules,
  invitees: (organization: Organization) => invitees(organization),
  bans,
  meetings,
  usage,
  transcripts,
  chat,
  recordings,
  "recording-links": recordingLinks,
  emails,
  webhooks,
  providers,
  "provider-links": providerLinks,
  directory,
  bin,
  history,
} as const satisfies Readonly<Record<string, (organization: Organization) => Pieces>>;
