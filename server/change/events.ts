import {
  changeEvents,
  type MeetingEvent,
  type WebhookEvent,
} from "../../contract/webhooks/events.ts";
import type { RoomRow } from "../db/tables.ts";
import type { Caller } from "./context.ts";
import type { Facts, Happened } from "./history.ts";

/** A room: its row, or at least the ID of its row. */
export type RoomOfEvent = Pick<RoomRow, "id"> & Partial<Pick<RoomRow, "room" | "name">>;

interface InMeeting {
  readonly type: MeetingEvent;
  readonly in: RoomOfEvent;
  /** The room if omitted. */
  readonly subject?: string;
  readonly data: Facts;
}
interface OfChange {
  readonly type: WebhookEvent;
  /** `room:ID`, `user:ID` or `recording:ID`. */
  readonly subject: string;
  readonly data: Facts;
}
/** An event that may be sent to webhooks. */
export type Event = InMeeting | OfChange;

const isChange = (kind: string): kind is (typeof changeEvents)[number] =>
  changeEvents.some((event) => event === kind);

/** How events name the caller. */
export const namedBy = ({
  userId,
  accessKey,
  name,
}: Pick<Caller, "userId" | "accessKey" | "name">): Facts => ({ userId, accessKey, name });

/** The event of an entry in the history; undefined if there is none for its kind. */
export const eventOf = (
  { kind, subject, before, after, by }: Happened,
  caller: Caller,
): Event | undefined => {
  if (!isChange(kind)) return undefined;
  const named = { [`${subject.kind}Id`]: subject.id, [`${subject.kind}Name`]: subject.name };
  return {
    type: kind,
    subject: `${subject.kind}:${subject.id}`,
    data: {
      ...named,
      before: before ?? null,
      after: after ?? null,
      by: namedBy({ ...caller, ...by }),
    },
  };
};
