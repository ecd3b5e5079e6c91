import { Skeleton } from "@mantine/core";
import { useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import type { Schedule } from "../../contract/schedule/schedule.ts";
import { addressOfRoom } from "../columns/room-columns.tsx";
import { creation, newRoom, type RoomValues, roomValuesOf } from "../data/room-values.ts";
import { useSchedule } from "../data/schedule.ts";
import { ParleyError, parley, sayFailure } from "../kit/client.ts";
import { useForm } from "../kit/form.ts";
import { useLeaveGuard } from "../kit/leave-guard.tsx";
import { notify } from "../kit/notices.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { type RoomRecord, useRoom } from "../kit/queries.ts";
import { useUser } from "../kit/session.ts";
import { Failed } from "../kit/states.tsx";
import { useChange } from "../kit/use-change.ts";
import { useOnce } from "../kit/use-once.ts";
import { copied as copiedDates } from "../schedule/requests.ts";
import { t } from "../texts/index.ts";
import { useDoor, WaitsSwitch } from "./door-switch.tsx";
import { RoomForm } from "./room-form.tsx";

interface CreatingProps {
  readonly start: RoomValues;
  /** True if guests of the room that is copied wait for a host. */
  readonly copiedWaits?: boolean;
  /** The dates of the room that is copied. */
  readonly dates?: Schedule | null;
}

/** The types of rooms whose guests wait for a host, unless somebody decides otherwise. */
const WAITING: readonly string[] = ["conferencing", "event"];

/** Gives a new room the dates of the one that is copied, and moves them where the form has another date. */
const copyDates = async (room: RoomRecord, schedule: Schedule): Promise<void> => {
  const { scheduledDateTime, roomOwnerId } = room;
  if (scheduledDateTime === null) return;
  await parley.editSchedule(copiedDates(room.room, schedule));
  if (Date.parse(scheduledDateTime) !== Date.parse(schedule.startsAt)) {
    await parley.editRoom({ room: room.room, roomOwnerId, scheduledDateTime });
  }
};

const create = async ({
  values,
  waits,
  dates,
}: {
  readonly values: RoomValues;
  readonly waits: boolean;
  readonly dates: Schedule | null;
}) => {
  const { roomSetting } = await parley.createRoom(creation(values));
  // The room is there, and its own form has the switch.
  const failed = (failure: unknown) => notify({ text: sayFailure(failure), kind: "failed" });
  if (waits) await parley.roomDoor({ roomId: roomSetting.room, waitsForHost: true }).catch(failed);
  if (dates !== null) await copyDates(roomSetting, dates).catch(failed);
  return roomSetting;
};

const Creating = ({ start, copiedWaits, dates = null }: CreatingProps) => {
  const navigate = useNavigate();
  const form = useForm(start, t.rooms.labels);
  const guard = useLeaveGuard(form.dirty);
  const creating = useChange(create);
  const [chosen, setChosen] = useState<boolean>();
  const waits = chosen ?? copiedWaits ?? WAITING.includes(form.values.roomType);

  const submit = useOnce(async () => {
    // An empty password would be none.
    if (form.values.roomPassword === "") {
      return form.refuse("roomPassword", t.rooms.first.passwordMissing);
    }
    try {
      const roomSetting = await creating.mutateAsync({ values: form.values, waits, dates });
      guard.release();
      notify({ text: t.rooms.created(roomSetting.name) });
      await navigate(addressOfRoom(roomSetting.room));
    } catch (failure) {
      const taken = failure instanceof ParleyError && failure.code === "room_taken";
      form.fail(failure, taken ? { room: sayFailure(failure) } : {});
    }
  });

  return (
    <>
      <RoomForm
        form={form}
        isNew
        busy={creating.isPending}
        onSubmit={() => void submit()}
        door={<WaitsSwitch checked={waits} onChange={setChosen} />}
      />
      {guard.question}
    </>
  );
};

/** A new room, with the defaults or with the settings of another room (`from`). */
export const NewRoomPage = () => {
  const user = useUser();
  const [params] = useSearchParams();
  const from = params.get("from") ?? undefined;
  const source = useRoom(from);
  const door = useDoor(from);
  const schedule = useSchedule(from ?? "", from !== undefined);
  const copied = source.data && {
    ...roomValuesOf(source.data),
    name: `${source.data.name} ${t.rooms.copied}`,
    room: "",
    ...(user.admin ? {} : { roomOwnerId: [user.id] }),
    // Not copied: two rooms that stream with one key, which may be a part of the address, would disturb each
    // other.
    liveStreamUrl: null,
    liveStreamKey: null,
    roomPassword: source.data.roomPassword || null,
  };
  return (
    <>
      <PageHeader
        title={source.data ? t.rooms.duplicateTitle(source.data.name) : t.rooms.newTitle}
        {...(from === undefined ? {} : { description: t.rooms.duplicateHelp })}
      />
      {from === undefined ? (
        <Creating start={newRoom(user.id)} />
      ) : copied && !door.isPending && !schedule.isPending ? (
        <Creating
          start={copied}
          dates={schedule.data ?? null}
          {...(door.isSuccess && { copiedWaits: door.data.waitsForHost })}
        />
      ) : source.isError ? (
        <div className="card">
          <Failed failure={source.error} retry={() => void source.refetch()} />
        </div>
      ) : (
        <Skeleton height={480} radius="md" />
      )}
    </>
  );
};
