import type { ReactNode } from "react";
import { isolated } from "../../contract/kit/plain.ts";
import type { RoomValues } from "../data/room-values.ts";
import { ConflictDialog } from "../kit/conflict-dialog.tsx";
import { changesOf } from "../kit/form.ts";
import { useNamed } from "../kit/queries.ts";
import { sayValue } from "../kit/schema-field.tsx";
import { showMoment, showRow } from "../kit/show.ts";
import { t } from "../texts/index.ts";

interface RoomConflictProps {
  readonly name: string;
  /** The version from which the form began. */
  readonly base: RoomValues;
  readonly mine: RoomValues;
  /** The version that is saved now. */
  readonly current: RoomValues;
  readonly onSave: (values: RoomValues) => void;
  readonly onClose: () => void;
}

/** Shows the two versions of a room that two people edited. */
export const RoomConflict = (props: RoomConflictProps) => {
  const { name, base, mine, current, onSave, onClose } = props;
  const named = useNamed([...mine.roomOwnerId, ...current.roomOwnerId]);
  const show = (values: RoomValues, field: keyof RoomValues): ReactNode => {
    if (field === "roomOwnerId") {
      const names = values.roomOwnerId.map((id) => isolated(named.data?.get(id)?.name ?? id));
      return showRow(names) || t.rooms.noOwner;
    }
    const value = values[field];
    return field === "scheduledDateTime" && typeof value === "string"
      ? showMoment(value)
      : sayValue(value);
  };
  const changed = changesOf(mine, base);
  return (
    <ConflictDialog
      title={t.rooms.conflictTitle(name)}
      rows={changesOf(mine, current).map((field) => ({
        name: field,
        label: t.rooms.labels[field],
        mine: show(mine, field),
        current: show(current, field),
        changed: changed.includes(field),
      }))}
      onSave={(keep) =>
        onSave({
          ...current,
          ...Object.fromEntries([...keep].map((field) => [field, mine[field as keyof RoomValues]])),
        })
      }
      onClose={onClose}
    />
  );
};
