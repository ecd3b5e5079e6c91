import { Button, Skeleton } from "@mantine/core";
import { IconCopyPlus, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { ParleyError, parley } from "../data/client.ts";
import { useForm } from "../data/form.ts";
import { type RoomRecord, useRoom } from "../data/queries.ts";
import { useChange } from "../data/use-change.ts";
import { NotFound } from "../pages/not-found.tsx";
import { useLeaveGuard } from "../parts/leave-guard.tsx";
import { notify } from "../parts/notices.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { Failed } from "../parts/states.tsx";
import { t } from "../texts/index.ts";
import { DeleteRoom } from "./delete-room.tsx";
import { GroupPlaces } from "./group-places.tsx";
import { RoomFactsLine } from "./room-facts-line.tsx";
import { RoomForm } from "./room-form.tsx";
import { edition, valuesOf } from "./room-values.ts";

const Editing = ({ room }: { readonly room: RoomRecord }) => {
  const navigate = useNavigate();
  const form = useForm(valuesOf(room));
  const guard = useLeaveGuard(form.dirty);
  const edit = useChange(parley.editRoom);
  const [deleting, setDeleting] = useState(false);

  const submit = async (): Promise<void> => {
    try {
      const { roomSetting } = await edit.mutateAsync(edition(form.values, form.changed));
      form.accept(valuesOf(roomSetting));
      notify({ text: t.rooms.saved(roomSetting.name) });
    } catch (failure) {
      form.fail(failure);
    }
  };

  return (
    <>
      <PageHeader
        title={room.name}
        description={<RoomFactsLine room={room} />}
        actions={
          <>
            <Button
              component={Link}
              to={`/rooms/new?from=${encodeURIComponent(room.room)}`}
              variant="default"
              leftSection={<IconCopyPlus size={16} />}
            >
              {t.rooms.duplicate}
            </Button>
            <Button
              variant="default"
              leftSection={<IconTrash size={16} />}
              onClick={() => setDeleting(true)}
            >
              {t.rooms.delete}
            </Button>
          </>
        }
      />
      <GroupPlaces />
      <RoomForm form={form} isNew={false} busy={edit.isPending} onSubmit={() => void submit()} />
      {guard.question}
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
  const room = useRoom(id);
  if (room.data) return <Editing key={room.data.room} room={room.data} />;
  if (room.error instanceof ParleyError && room.error.status === 404) return <NotFound />;
  return (
    <>
      <PageHeader title={t.rooms.one[0]?.toUpperCase() + t.rooms.one.slice(1)} />
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
