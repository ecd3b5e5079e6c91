import { Alert, Text } from "@mantine/core";
import { IconUsersGroup } from "@tabler/icons-react";
import { useBinDays, useRestore } from "../data/bin.ts";
import { invitedAhead, useSchedule } from "../data/schedule.ts";
import { BinHint, SettingsUnknown } from "../kit/before-deleting.tsx";
import { parley } from "../kit/client.ts";
import { Confirm } from "../kit/confirm.tsx";
import { notify } from "../kit/notices.tsx";
import { type RoomRecord, useRoom } from "../kit/queries.ts";
import { useChange } from "../kit/use-change.ts";
import { t } from "../texts/index.ts";

interface DeleteRoomProps {
  readonly room: Pick<RoomRecord, "room" | "name" | "roomStatus">;
  readonly onClose: () => void;
  /** Leaves a page that shows the room, before the page's data is loaded again. */
  readonly onDeleted?: () => Promise<void> | void;
}

/** Says what is deleted with the room, and whether the deletion waits for the end of a meeting. */
export const DeleteRoom = ({ room, onClose, onDeleted }: DeleteRoomProps) => {
  const days = useBinDays();
  const restore = useRestore();
  const remove = useChange(
    async () => {
      const { ids } =
        typeof days === "number"
          ? await parley.binRooms({ rooms: [room.room] })
          : { ids: [], ...(await parley.deleteRoom({ id: room.room })) };
      await onDeleted?.();
      return ids;
    },
    // Data about this room alone.
    ([, id]) => id === room.room,
  );
  // The list may be minutes old; a person may have entered since.
  const current = useRoom(remove.isIdle ? room.room : undefined);
  const inUse = (current.data?.roomStatus ?? room.roomStatus) !== "free";
  const invited = invitedAhead(useSchedule(room.room, remove.isIdle).data);
  // The question must say whether the deletion is final.
  const title = t.rooms.deleteTitle(room.name);
  if (days === undefined) return <SettingsUnknown title={title} onClose={onClose} />;
  return (
    <Confirm
      title={title}
      confirm={t.rooms.deleteConfirm}
      danger
      onClose={onClose}
      onConfirm={async () => {
        const ids = await remove.mutateAsync(undefined);
        if (days === null)
          notify({ text: inUse ? t.rooms.deletedLater(room.name) : t.rooms.deleted(room.name) });
        else notify({ text: t.bin.binned(1, room.name), undo: () => restore(ids, room.name) });
      }}
    >
      <Text size="sm">{days === null ? t.rooms.deleteGoes : t.bin.roomRests(days)}</Text>
      {invited > 0 && <Text size="sm">{t.schedule.sends.cancellations(invited)}</Text>}
      {days === null && <BinHint />}
      {inUse && (
        <Alert mt="sm" color="yellow" variant="light" icon={<IconUsersGroup size={18} />}>
          {t.rooms.deleteInUse}
        </Alert>
      )}
    </Confirm>
  );
};
