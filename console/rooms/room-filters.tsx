import { NativeSelect } from "@mantine/core";
import { roomStatuses } from "../../contract/rooms/rooms.ts";
import { roomTypes } from "../../contract/rooms/settings.ts";
import { sayRoomWord } from "../kit/words.ts";
import { t } from "../texts/index.ts";

/** The type and status in the address; undefined for any, and for words that are none. */
export const filtersIn = (params: URLSearchParams) => ({
  roomType: roomTypes.find((type) => type === params.get("roomType")),
  roomStatus: roomStatuses.find((status) => status === params.get("roomStatus")),
});

interface RoomFiltersProps extends ReturnType<typeof filtersIn> {
  readonly onChange: (
    filter: { readonly roomType: string } | { readonly roomStatus: string },
  ) => void;
}

/** Chooses which rooms are listed, by type and status. */
export const RoomFilters = ({ roomType, roomStatus, onChange }: RoomFiltersProps) => (
  <>
    <NativeSelect
      aria-label={t.roomBulk.typeFilter}
      value={roomType ?? ""}
      onChange={(event) => onChange({ roomType: event.currentTarget.value })}
      data={[
        { value: "", label: t.roomBulk.anyType },
        ...roomTypes.map((type) => ({ value: type, label: sayRoomWord(type) })),
      ]}
    />
    <NativeSelect
      aria-label={t.roomBulk.statusFilter}
      value={roomStatus ?? ""}
      onChange={(event) => onChange({ roomStatus: event.currentTarget.value })}
      data={[
        { value: "", label: t.roomBulk.anyStatus },
        ...roomStatuses.map((status) => ({
          value: status,
          label: t.rooms.statuses[status] ?? status,
        })),
      ]}
    />
  </>
);
