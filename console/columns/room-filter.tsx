import { useRoomSearch } from "../data/search.ts";
import { Picker } from "../kit/picker.tsx";
import { useRoom } from "../kit/queries.ts";
import { t } from "../texts/index.ts";
import css from "./rooms.module.css";

interface RoomFilterProps {
  /** The room ID; empty for any. */
  readonly value: string;
  readonly onChange: (id: string) => void;
}

export const RoomFilterTag = ({ value, onChange }: RoomFilterProps) => {
  const room = useRoom(value === "" ? undefined : value);
  const name = value === "" ? "" : (room.data?.name ?? (room.isPending ? "…" : value));
  return (
    <div className={css.filter}>
      <Picker
        label={t.rooms.roomFilter}
        hideLabel
        placeholder={t.rooms.anyRoom}
        chosen={name}
        useFound={useRoomSearch}
        more={({ id }) => id}
        nothing={t.rooms.noMatch}
        onPick={({ id }) => onChange(id)}
        onClear={() => onChange("")}
      />
    </div>
  );
};
