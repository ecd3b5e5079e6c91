import { Button, Skeleton } from "@mantine/core";
import { IconCopyPlus, IconTrash } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { typeWaits } from "../../contract/rooms/rooms.ts";
import { edition, type RoomValues, roomValuesOf } from "../data/room-values.ts";
import { invitedAhead, useSchedule } from "../data/schedule.ts";
import { ParleyError, parley } from "../kit/client.ts";
import css from "../kit/form.module.css";
import { useLeaveGuard } from "../kit/leave-guard.tsx";
import { NotFound } from "../kit/not-found.tsx";
import { notify } from "../kit/notices.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { type Loaded, loadRoom, type RoomRecord, useLoadedRoom, useMay } from "../kit/queries.ts";
import { useUser } from "../kit/session.ts";
import { Failed } from "../kit/states.tsx";
import { useChange } from "../kit/use-change.ts";
import { useEditing } from "../kit/use-editing.ts";
import { CopyLinkButton, EnterButton } from "../meetings/enter-room.tsx";
import { InsideNow } from "../meetings/inside-now.tsx";
import { RoomSchedule } from "../schedule/room-schedule.tsx";
import { t } from "../texts/index.ts";
import { DeleteRoom } from "./delete-room.tsx";
import { DoorSwitch } from "./door-switch.tsx";
import { RoomConflict } from "./room-conflict.tsx";
import { RoomFactsLine } from "./room-facts-line.tsx";
import { RoomForm } from "./room-form.tsx";
import { settingGroups } from "./setting-groups.ts";

/** Links to the groups of a long form. */
const GroupPlaces = () => (
  <nav aria-label={t.form.groups}>
    <ul className={css.places}>
      {settingGroups.map(({ group }) => (
        <li key={group}>
          <a href={`#${group}`}>{t.rooms.groups[group].title}</a>
        </li>
      ))}
    </ul>
  </nav>
);

interface Edit {
  readonly values: RoomValues;
  readonly changed: readonly (keyof RoomValues)[];
  readonly etag: string;
}

const saveRoom = async ({ values, changed, etag }: Edit): Promise<Loaded<RoomRecord>> => {
  let saved = etag;
  let notes = "";
  const { roomSetting } = await parley.editRoom(edition(values, changed), {
    ifMatch: etag,
    onETag: (tag) => (saved = tag),
    onNote: (given) => (notes = given),
  });
  if (notes.includes(typeWaits)) notify({ text: t.rooms.typeWaits });
  return { thing: roomSetting, etag: saved };
};

const versionOf = ({ thing, etag }: Loaded<RoomRecord>) => ({ values: roomValuesOf(thing), etag });

const Editing = ({ loaded }: { readonly loaded: Loaded<RoomRecord> }) => {
  const { thing: room } = loaded;
  const navigate = useNavigate();
  const { admin } = useUser();
  const may = useMay();
  const edit = useChange(saveRoom);
  const version = useMemo(() => versionOf(loaded), [loaded]);
  const { form, busy, submit, conflict, resolve, dismiss } = useEditing({
    loaded: version,
    labels: t.rooms.labels,
    load: async () => versionOf(await loadRoom(room.room)),
    save: async (values, changed, etag) => {
      const saved = await edit.mutateAsync({ values, changed, etag });
      notify({ text: t.rooms.saved(saved.thing.name) });
      return versionOf(saved);
    },
  });
  const guard = useLeaveGuard(form.dirty);
  const [deleting, setDeleting] = useState(false);
  const { data: schedule } = useSchedule(room.room, !deleting);

  return (
    <>
      <PageHeader
        title={room.name}
        description={<RoomFactsLine room={room} />}
        actions={
          <>
            {may?.createRooms && (
              <Button
                component={Link}
                to={`/rooms/new?from=${encodeURIComponent(room.room)}`}
                variant="default"
                leftSection={<IconCopyPlus size={16} />}
              >
                {t.rooms.duplicate}
              </Button>
            )}
            {admin && (
              <Button
                variant="default"
                leftSection={<IconTrash size={16} />}
                onClick={() => setDeleting(true)}
              >
                {t.rooms.delete}
              </Button>
            )}
            <CopyLinkButton room={room} />
            <EnterButton room={room} />
          </>
        }
      />
      {/* It polls, and a room that was just deleted is not found. */}
      {!deleting && <InsideNow roomId={room.room} onlyInUse />}
      {!deleting && <RoomSchedule room={room} mayEdit={may?.editRooms === true} />}
      <GroupPlaces />
      <RoomForm
        form={form}
        isNew={false}
        busy={busy}
        onSubmit={() => void submit()}
        door={<DoorSwitch roomId={room.room} />}
        invited={invitedAhead(schedule)}
      />
      {guard.question}
      {conflict && (
        <RoomConflict
          name={room.name}
          base={form.base}
          mine={form.values}
          current={conflict.values}
          onSave={(values) => void resolve(values)}
          onClose={dismiss}
        />
      )}
      {deleting && (
        <DeleteRoom
          room={room}
          onClose={() => setDeleting(false)}
          onDeleted={() => {
            guard.release();
            return navigate("/rooms");
          }}
        />
      )}
    </>
  );
};

/** The settings of one room. */
export const EditRoomPage = () => {
  const { id } = useParams();
  const room = useLoadedRoom(id);
  if (room.data) return <Editing key={room.data.thing.room} loaded={room.data} />;
  if (room.error instanceof ParleyError && room.error.status === 404) return <NotFound />;
  return (
    <>
      <PageHeader title={t.rooms.one} />
      {room.isError ? (
        <div className="card">
          <Failed failure={room.error} retry={() => void room.refetch()} />
        </div>
      ) : (
        <Skeleton height={480} radius="md" />
      )}
    </>
  );
};
