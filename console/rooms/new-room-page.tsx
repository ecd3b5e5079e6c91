import { Skeleton } from "@mantine/core";
import { useNavigate, useSearchParams } from "react-router";
import { ParleyError, parley } from "../data/client.ts";
import { useForm } from "../data/form.ts";
import { useRoom } from "../data/queries.ts";
import { useUser } from "../data/session.ts";
import { useChange } from "../data/use-change.ts";
import { useOnce } from "../data/use-once.ts";
import { useLeaveGuard } from "../parts/leave-guard.tsx";
import { notify } from "../parts/notices.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { Failed } from "../parts/states.tsx";
import { t } from "../texts/index.ts";
import { addressOfRoom } from "./room-columns.tsx";
import { RoomForm } from "./room-form.tsx";
import { creation, newRoom, type RoomValues, valuesOf } from "./room-values.ts";

interface CreatingProps {
  readonly start: RoomValues;
}

const Creating = ({ start }: CreatingProps) => {
  const navigate = useNavigate();
  const form = useForm(start, t.rooms.labels);
  const guard = useLeaveGuard(form.dirty);
  const create = useChange(parley.createRoom);

  const submit = useOnce(async () => {
    try {
      const { roomSetting } = await create.mutateAsync(creation(form.values));
      guard.release();
      notify({ text: t.rooms.created(roomSetting.name) });
      await navigate(addressOfRoom(roomSetting.room));
    } catch (failure) {
      const taken = failure instanceof ParleyError && failure.code === "room_taken";
      form.fail(failure, taken ? { room: failure.message } : {});
    }
  });

  return (
    <>
      <RoomForm form={form} isNew busy={create.isPending} onSubmit={() => void submit()} />
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
  const copied = source.data && {
    ...valuesOf(source.data),
    name: `${source.data.name} ${t.rooms.copied}`,
    room: "",
    ...(user.admin ? {} : { roomOwnerId: [user.id] }),
    // Not copied: two rooms that stream with one key, which may be a part of the address, would disturb each
    // other.
    liveStreamUrl: null,
    liveStreamKey: null,
  };
  return (
    <>
      <PageHeader
        title={source.data ? t.rooms.duplicateTitle(source.data.name) : t.rooms.newTitle}
        {...(from === undefined ? {} : { description: t.rooms.duplicateHelp })}
      />
      {from === undefined ? (
        <Creating start={newRoom(user.id)} />
      ) : copied ? (
        <Creating start={copied} />
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
