import type { Kysely } from "kysely";
import type { Tables } from "../../server/db/tables.ts";

/** A past meeting, with a row in every table of meetings. */
export const addMeeting = async (tx: Kysely<Tables>, at: string): Promise<void> => {
  const ofRoom = { organization_id: "o1", room_id: "r0" };
  await tx
    .insertInto("meetings")
    .values({
      ...ofRoom,
      id: "m1",
      media: "direct",
      opened_at: at,
      started_at: at,
      ended_at: at,
      seconds: 90,
      locked: false,
      presenter: null,
      room_type: "event",
    })
    .execute();
  await tx
    .insertInto("seats")
    .values({
      ...ofRoom,
      id: "s1",
      meeting_id: "m1",
      role: "viewer",
      person: "user:u1",
      user_id: "u1",
      peer_name: "😀",
      state: "left",
      ticket_digest: "t1",
      lease_until: null,
      process: null,
      connection: 2 ** 53 - 1,
      media_process: null,
      media_connection: 0,
      claimed_at: at,
      joined_at: at,
      last_seen: at,
      left_at: at,
      reason: "left",
      audio: true,
      video: false,
      share: false,
      hand_at: null,
      share_since: at,
      role_limit: "viewer",
      upgraded: true,
      upgrade: null,
      upgrade_at: null,
    })
    .execute();
  await addUsage(tx, at);
  await tx
    .insertInto("chat")
    .values({
      room_id: "r0",
      number: 1,
      meeting_id: "m1",
      seat_id: "s1",
      peer_name: "😀",
      text: "\t",
      sent_at: at,
    })
    .execute();
  await tx
    .insertInto("captions")
    .values({
      ...ofRoom,
      meeting_id: "m1",
      number: 1,
      seat_id: "s1",
      role: "viewer",
      peer_name: "😀",
      started_at: at,
      ended_at: at,
      text: "\t",
      text_key: "\t",
    })
    .execute();
  await tx
    .insertInto("runs")
    .values({
      ...ofRoom,
      id: "x1",
      meeting_id: "m1",
      topic: "stream",
      kind: "rtmp",
      state: "ended",
      since: at,
      target: "rtmp://h",
      receiver: null,
      error: null,
      stop_asked: true,
      requested_at: at,
      ended_at: at,
      process: null,
      lease_until: null,
    })
    .execute();
  await tx
    .insertInto("recordings")
    .values({
      ...ofRoom,
      id: "v1",
      meeting_id: "m1",
      name: "😀",
      name_key: "😀",
      type: "av",
      format: "mp4",
      resolutions: '["480p"]',
      state: "ready",
      automatic: true,
      started_by: "u1",
      started_by_name: "",
      requested_at: at,
      started_at: at,
      ended_at: at,
      seconds: 90,
      bytes: 2 ** 53 - 1,
      error: null,
      stop_asked: true,
      files: '[{"name":"480p.mp4","bytes":9007199254740991}]',
      complete: true,
      process: null,
      lease_until: null,
      store: "folder",
    })
    .execute();
  await tx
    .insertInto("recording_links")
    .values({
      id: "l1",
      digest: "d1",
      recording_id: "v1",
      organization_id: "o1",
      created_by: null,
      created_at: at,
      expires_at: at,
      revoked_at: at,
    })
    .execute();
  await tx
    .insertInto("erasures")
    .values({
      id: "e1",
      organization_id: "gone",
      store: "s3",
      path: "gone/r/v",
      tries: 3,
      due_at: "2999-01-31T09:30:00.000Z",
      created_at: at,
    })
    .execute();
  const message = { id: "w1", meeting_id: "m1", seat_id: "s1", message: "{}", sent_at: at };
  await tx.insertInto("seat_messages").values(message).execute();
  const ban = { ...ofRoom, id: "b1", meeting_id: null, person: "guest:x", created_at: at };
  await tx.insertInto("bans").values(ban).execute();
  const link = { ...ofRoom, code: "c1", created_at: at, ended_at: null };
  await tx.insertInto("room_links").values(link).execute();
  await tx.insertInto("processes").values({ id: "p1", alive_at: at }).execute();
};

/** The meeting's rows in the tables of the usage. */
const addUsage = async (tx: Kysely<Tables>, at: string): Promise<void> => {
  const ofRoom = { organization_id: "o1", room_id: "r0", room_type: "event" };
  const times = { started_at: at, ended_at: at, seconds: 90 };
  const counts = { people: 1, person_seconds: 2 ** 53 - 1, recordings: 1, steps: "[0,1,90000,-1]" };
  await tx
    .insertInto("usage_meetings")
    .values({ id: "m1", ...ofRoom, ...times, ...counts })
    .execute();
  const person = { meeting_id: "m1", user_id: "u1", organization_id: "o1" };
  await tx
    .insertInto("usage_people")
    .values({ ...person, started_at: at, seconds: 90 })
    .execute();
  const quarter = { organization_id: "o1", starts_at: at, peak: 1 };
  await tx.insertInto("usage_quarters").values(quarter).execute();
  await tx
    .insertInto("usage_refused")
    .values({ id: "f1", ...ofRoom, at, seats: 3 })
    .execute();
};
