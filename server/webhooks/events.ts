import {
  changeEvents,
  type MeetingEvent,
  type WebhookEvent,
} from "../../contract/webhook-events.ts";
import type { RoomRow } from "../db/tables.ts";
import type { Facts, Happened } from "../history/keep.ts";
import type { Caller } from "../organization.ts";

/** A room by its row, or at least by the ID of its row. */
export type RoomOfEvent = Pick<RoomRow, "id"> & Partial<Pick<RoomRow, "room" | "name">>;

interface InMeeting {
  readonly type: MeetingEvent;
  readonly in: RoomOfEvent;
  readonly data: Facts;
}
interface OfChange {
  readonly type: WebhookEvent;
  /** `room:ID` or `user:ID`. */
  readonly subject: string;
  readonly data: Facts;
}
/** Something that webhooks may be told of. */
export type Event = InMeeting | OfChange;

const isChange = (kind: string): kind is (typeof changeEvents)[number] =>
  changeEvents.some((event) => event === kind);

/** What the history is told, as an event; undefined for what is no event. */
export const eventOf = (
  { kind, subject, before, after }: Happened,
  caller: Caller,
): Event | undefined => {
  if (!isChange(kind)) return undefined;
  const named =
    subject.kind === "room"
      ? { roomId: subject.id, roomName: subject.name }
      : { userId: subject.id, userName: subject.name };
  const by = { userId: caller.userId, accessKey: caller.accessKey, name: caller.name };
  return {
    type: kind,
    subject: `${subject.kind}:${subject.id}`,
    data: { ...named, before: before ?? null, after: after ?? null, by },
  };
};
