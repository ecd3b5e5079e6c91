import { ActionIcon, Input } from "@mantine/core";
import { IconChevronDown, IconChevronUp, IconX } from "@tabler/icons-react";
import { useRef, useState } from "react";
import css from "../columns/owners.module.css";
import { PersonPicker } from "../columns/person-picker.tsx";
import { useNamed } from "../kit/queries.ts";
import { t } from "../texts/index.ts";

interface OwnersFieldProps {
  readonly value: readonly string[];
  readonly error: string | undefined;
  readonly onChange: (owners: readonly string[]) => void;
}

const moved = (owners: readonly string[], from: number, by: number): readonly string[] => {
  const next = [...owners];
  const [owner] = next.splice(from, 1);
  if (owner !== undefined) next.splice(from + by, 0, owner);
  return next;
};

/** The owners in their order; more are found by typing. */
export const OwnersField = ({ value, error, onChange }: OwnersFieldProps) => {
  const named = useNamed(value);
  // People who were just picked: their names are known before they are loaded.
  const [picked, setPicked] = useState<
    ReadonlyMap<string, { readonly name: string; readonly email: string }>
  >(new Map());
  const list = useRef<HTMLOListElement>(null);

  const move = (from: number, by: number): void => {
    onChange(moved(value, from, by));
    // The focus stays with the owner that moved; at either end, the other button takes it.
    setTimeout(() => {
      const row = list.current?.children[from + by];
      const [up, down] = row?.querySelectorAll<HTMLButtonElement>("[data-move]") ?? [];
      (by < 0 ? (up?.disabled ? down : up) : down?.disabled ? up : down)?.focus();
    });
  };

  return (
    <Input.Wrapper
      label={t.rooms.labels.roomOwnerId}
      description={t.rooms.ownersHelp}
      labelElement="div"
      withAsterisk
    >
      <ol className={css.list} ref={list} aria-label={t.rooms.owners.list}>
        {value.map((id, index) => {
          const person = picked.get(id) ?? named.data?.get(id);
          const name = person?.name ?? (named.isPending ? "…" : t.rooms.unknownOwner);
          return (
            <li key={id} className={css.owner}>
              <span className={css.place} aria-hidden>
                {index + 1}
              </span>
              <span className={css.who}>
                <bdi>{name}</bdi>
                <span className="dimmed small">
                  <bdi>{person?.email ?? id}</bdi>
                </span>
              </span>
              <ActionIcon
                variant="subtle"
                color="gray"
                data-move
                aria-label={t.rooms.owners.up(name)}
                disabled={index === 0}
                onClick={() => move(index, -1)}
              >
                <IconChevronUp size={16} />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="gray"
                data-move
                aria-label={t.rooms.owners.down(name)}
                disabled={index === value.length - 1}
                onClick={() => move(index, 1)}
              >
                <IconChevronDown size={16} />
              </ActionIcon>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t.rooms.owners.remove(name)}
                onClick={() => {
                  onChange(value.filter((owner) => owner !== id));
                  setTimeout(() => list.current?.parentElement?.querySelector("input")?.focus());
                }}
              >
                <IconX size={16} />
              </ActionIcon>
            </li>
          );
        })}
      </ol>
      <div className={css.add}>
        <PersonPicker
          label={t.rooms.owners.add}
          hideLabel
          placeholder={t.rooms.owners.placeholder}
          without={value}
          error={error}
          onPick={(person) => {
            setPicked((before) => new Map(before).set(person.id, person));
            onChange([...value, person.id]);
          }}
        />
      </div>
    </Input.Wrapper>
  );
};
