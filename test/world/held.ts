import type { Queries } from "../../server/change/organization.ts";

/** A past meeting. */
interface Held {
  readonly organizationId: string;
  /** The room ID of the interface. */
  readonly room: string;
  readonly meetingId: string;
  readonly userId: string;
  readonly name: string;
  /** When it ended; it lasted a minute. */
  readonly at: Date;
  /** The words that the person wrote and said. */
  readonly text?: string;
}

/** Adds a past meeting, with one person's attendance, chat, words and recording. */
export const addHeldMeeting = async (
  tx: Queries,
  { organizationId: organization_id, room, meetingId: meeting_id, userId, name, at, text }: Held,
): Promise<void> => {
  const { id: room_id } = await tx
    .selectFrom("rooms")
    .select("id")
    .where("organization_id", "=", organization_id)
    .where("room", "=", room)
    .executeTakeFirstOrThrow();
  const ended = at.toISOString();
  const began = new Date(at.getTime() - 60_000).toISOString();
  const ofRoom = { organization_id, room_id };
  const seat_id = `${meeting_id}-seat`;
  await tx
    .insertInto("meetings")
    .values({
      ...ofRoom,
      id: meeting_id,
      media: "direct",
      opened_at: began,
      started_at: began,
      ended_at: ended,
      seconds: 60,
      locked: false,
      presenter: null,
    })
    .execute();
  await tx
    .insertInto("seats")
    .values({
      ...ofRoom,
      id: seat_id,
      meeting_id,
      role: "moderator",
      person: `user:${userId}`,
      user_id: userId,
      peer_name: name,
      state: "left",
      ticket_digest: seat_id,
      lease_until: null,
      process: null,
      connection: 1,
      media_process: null,
      media_connection: 0,
      claimed_at: began,
      joined_at: began,
      last_seen: ended,
      left_at: ended,
      reason: "left",
      audio: true,
      video: false,
      share: false,
      hand_at: null,
      upgraded: false,
      upgrade: null,
      upgrade_at: null,
    })
    .execute();
  const { last } = await tx
    .selectFrom("chat")
    .select(({ fn }) => fn.countAll<number | string>().as("last"))
    .where("room_id", "=", room_id)
    .executeTakeFirstOrThrow();
  const said = { meeting_id, seat_id, peer_name: name, text: text ?? `Said in ${meeting_id}` };
  await tx
    .insertInto("chat")
    .values({ ...said, room_id, number: Number(last) + 1, sent_at: began })
    .execute();
  await tx
    .insertInto("captions")
    .values({
      ...ofRoom,
      ...said,
      number: 1,
      role: "moderator",
      started_at: began,
      ended_at: ended,
      text_key: said.text.toLowerCase(),
    })
    .execute();
  await tx
    .insertInto("runs")
    .values({
      ...ofRoom,
      id: `${meeting_id}-run`,
      meeting_id,
      topic: "transcription",
      kind: null,
      state: "ended",
      since: ended,
      target: null,
      receiver: null,
      error: null,
      stop_asked: true,
      requested_at: began,
      ended_at: ended,
      process: null,
      lease_until: null,
    })
    .execute();
  await tx
    .insertInto("recordings")
    .values({
      ...ofRoom,
      id: `${meeting_id}-recording`,
      meeting_id,
      name: `Film of ${meeting_id}`,
      name_key: `film of ${meeting_id}`,
      type: "a",
      format: "mp4",
      resolutions: "[]",
      state: "failed",
      automatic: false,
      started_by: userId,
      started_by_name: name,
      requested_at: began,
      started_at: null,
      ended_at: ended,
      seconds: null,
      bytes: null,
      files: null,
      error: "capture_failed",
      stop_asked: true,
      process: null,
      lease_until: null,
      store: "folder",
    })
    .execute();
};
