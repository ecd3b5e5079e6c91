import { Alert, Text } from "@mantine/core";
import { IconUsersGroup } from "@tabler/icons-react";
import { parley } from "../data/client.ts";
import { type RoomRecord, useRoom } from "../data/queries.ts";
import { useChange } from "../data/use-change.ts";
import { Confirm } from "../parts/confirm.tsx";
import { notify } from "../parts/notices.tsx";
import { t } from "../texts/index.ts";

interface DeleteRoomProps {
  readonly room: Pick<RoomRecord, "room" | "name" | "roomStatus">;
  readonly onClose: () => void;
  /** Leaves a page that shows the room, before what it shows is asked for again. */
  readonly onDeleted?: () => Promise<void> | void;
}

/** Says what goes with the room, and whether it waits for the end of a meeting. */
export const DeleteRoom = ({ room, onClose, onDeleted }: DeleteRoomProps) => {
  const remove = useChange(
    async () => {
      await parley.deleteRoom({ id: room.room });
      await onDeleted?.();
    },
    ([kind, id]) => (kind === "room" || kind === "meeting") && id === room.room,
  );
  // The list may be minutes old; somebody may have gone in since.
  const present = useRoom(remove.isIdle ? room.room : undefined);
  const inUse = (present.data?.roomStatus ?? room.roomStatus) !== "free";
  return (
    <Confirm
      title={t.rooms.deleteTitle(room.name)}
      confirm={t.rooms.deleteConfirm}
      danger
      onClose={onClose}
      onConfirm={async () => {
        await remove.mutateAsync(undefined);
        notify({ text: inUse ? t.rooms.deletedLater(room.name) : t.rooms.deleted(room.name) });
      }}
    >
      <Text size="sm">{t.rooms.deleteGoes}</Text>
      {inUse && (
        <Alert mt="sm" color="yellow" variant="light" icon={<IconUsersGroup size={18} />}>
          {t.rooms.deleteInUse}
        </Alert>
      )}
    </Confirm>
  );
};
