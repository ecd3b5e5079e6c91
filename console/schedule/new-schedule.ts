import { useRef, useState } from "react";
import type { Schedule } from "../../contract/schedule/schedule.ts";
import { seatCount, seatsFor } from "../data/first-values.ts";
import { creation, newRoom } from "../data/room-values.ts";
import { parley, sayFailure } from "../kit/client.ts";
import { notify } from "../kit/notices.tsx";
import type { RoomRecord } from "../kit/queries.ts";
import { useUser } from "../kit/session.ts";
import { useChange } from "../kit/use-change.ts";
import { scheduling } from "./requests.ts";
import { firstMomentOf, type ScheduleValues } from "./schedule-values.ts";

/** The results of a new schedule. */
export interface Scheduled {
  readonly schedule: Schedule;
  readonly url: string;
}

/** A random text; crypto.randomUUID is missing where pages come without HTTPS. */
const randomText = (): string =>
  [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join("-");

/** The room of a scheduled meeting: as a new room, with a seat for everybody who is invited. */
const roomFor = (owner: string, values: ScheduleValues) => {
  const room = newRoom(owner);
  const invited = values.userIds.length + values.emails.length;
  const seats = Math.max(seatCount(room), invited + 2);
  return creation({
    ...room,
    ...seatsFor(room.roomType, seats),
    name: values.name,
    roomAgenda: values.roomAgenda.trim() === "" ? null : values.roomAgenda,
    scheduledDateTime: firstMomentOf(values) ?? null,
  });
};

/**
 * Makes a room and schedules it, in steps that can be repeated: a room that was made stays the one, also
 * where the answer was lost.
 */
export const useNewSchedule = () => {
  const { id } = useUser();
  const [room, setRoom] = useState<Pick<RoomRecord, "room" | "name">>();
  const made = useRef<typeof room>(undefined);
  const sent = useRef({ body: "", key: "" });

  const create = async (values: ScheduleValues) => {
    const input = roomFor(id, values);
    const body = JSON.stringify(input);
    if (sent.current.body !== body) sent.current = { body, key: randomText() };
    const { roomSetting } = await parley.createRoom(input, { idempotencyKey: sent.current.key });
    made.current = roomSetting;
    setRoom(roomSetting);
    // The room is there, and its own page has the switch.
    const failed = (failure: unknown) => notify({ text: sayFailure(failure), kind: "failed" });
    await parley.roomDoor({ roomId: roomSetting.room, waitsForHost: true }).catch(failed);
    return roomSetting;
  };

  const run = useChange(async (values: ScheduleValues): Promise<Scheduled> => {
    const { room: roomId } = made.current ?? (await create(values));
    const { schedule } = await parley.editSchedule(scheduling(roomId, values));
    const { url } = await parley.getRoomLink({ roomId });
    if (schedule === null) throw new Error("A scheduled room has no schedule.");
    return { schedule, url };
  });
  return { room, run };
};
