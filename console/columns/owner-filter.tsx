import { NativeSelect } from "@mantine/core";
import { usePerson } from "../kit/queries.ts";
import { t } from "../texts/index.ts";
import { PersonPicker } from "./person-picker.tsx";
import css from "./rooms.module.css";

interface OwnerFilterProps {
  /** The ID of the owner; empty for any. */
  readonly value: string;
  readonly onChange: (id: string) => void;
  /** The label; default: that of rooms. */
  readonly label?: string;
  readonly placeholder?: string;
}

export const OwnerFilter = ({
  value,
  onChange,
  label = t.rooms.ownerFilter,
  placeholder = t.rooms.anyOwner,
}: OwnerFilterProps) => {
  const person = usePerson(value === "" ? undefined : value);
  const name =
    value === ""
      ? ""
      : (person.data?.thing.name ?? (person.isPending ? "…" : t.rooms.unknownOwner));
  return (
    <div className={css.filter}>
      <PersonPicker
        label={label}
        hideLabel
        placeholder={placeholder}
        chosen={name}
        onPick={({ id }) => onChange(id)}
        onClear={() => onChange("")}
      />
    </div>
  );
};

interface WithoutOwnerFilterProps {
  /** True to show only rooms without an owner. */
  readonly value: boolean;
  readonly onChange: (only: boolean) => void;
}

export const WithoutOwnerFilter = ({ value, onChange }: WithoutOwnerFilterProps) => (
  <NativeSelect
    aria-label={t.rooms.withoutOwnerFilter}
    value={String(value)}
    onChange={(event) => onChange(event.currentTarget.value === "true")}
    data={[
      { value: "false", label: t.rooms.allRooms },
      { value: "true", label: t.rooms.withoutOwnerOnly },
    ]}
  />
);
