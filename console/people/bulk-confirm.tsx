import { Skeleton, Stack, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import css from "../columns/people.module.css";
import { useBinDays } from "../data/bin.ts";
import { useOwnedTotal } from "../data/hand-over.ts";
import { BinHint, SettingsUnknown } from "../kit/before-deleting.tsx";
import { fieldErrors, ParleyError, sayFailure } from "../kit/client.ts";
import { Confirm } from "../kit/confirm.tsx";
import { around } from "../kit/said.tsx";
import { showRow } from "../kit/show.ts";
import { Failed } from "../kit/states.tsx";
import { t } from "../texts/index.ts";
import type { Someone } from "./heirs-field.tsx";
import { HeirsField } from "./heirs-field.tsx";

/** The changes that need a confirmation, for one or several people. */
export type BulkKind = "suspend" | "revoke" | "delete";

interface BulkConfirmProps {
  readonly kind: BulkKind;
  readonly people: readonly Someone[];
  /** True if some or all of their rooms were handed over before the rest was refused. */
  readonly moved: boolean;
  /** @param heirs the IDs of the people who get the rooms; empty if the rooms stay */
  readonly onConfirm: (heirs: readonly string[]) => Promise<void>;
  readonly onClose: () => void;
}

/** Returns whether the service refused; without an answer, the change may have been made. */
const isRefused = (failure: unknown): boolean =>
  failure instanceof ParleyError && failure.status < 500;

/** The people for whom a change was refused: the service names them by index, `userIds[3]`. */
export const explainRefusal =
  (people: readonly Someone[], moved = false) =>
  (failure: unknown): ReactNode => {
    const places = fieldErrors(failure).map(({ field }) => Number(/\[(\d+)\]/.exec(field)?.[1]));
    const names = places.flatMap((place) => people[place]?.name ?? []);
    return (
      <>
        <div>{sayFailure(failure)}</div>
        {names.length > 0 && <div>{t.people.refusedFor(showRow(names))}</div>}
        {moved ? (
          <div>{t.handOver.alreadyDone}</div>
        ) : (
          isRefused(failure) && <div>{t.people.nothingChanged}</div>
        )}
      </>
    );
  };

const SHOWN = 6;

/** The texts of the question for each change. */
const askedOf = (kind: BulkKind, count: number, name: string, days: number | null) => {
  switch (kind) {
    case "suspend":
      return {
        title: t.people.suspendSeveralTitle(count, name),
        confirm: t.people.suspend,
        help: t.people.suspendSeveralHelp,
      };
    case "revoke":
      return {
        title: t.people.revokeTitle(count, name),
        confirm: t.people.revokeConfirm(count),
        help: t.people.revokeHelp,
      };
    default:
      return {
        title:
          days === null ? t.people.deleteTitle(count, name) : t.bin.deletePeopleTitle(count, name),
        confirm: days === null ? t.people.deleteConfirm : t.bin.deletePeople,
        help: days === null ? t.people.deleteHelp(count) : t.bin.peopleRest(count, days),
      };
  }
};

interface OwnedProps {
  readonly people: readonly Someone[];
  readonly heirs: readonly Someone[];
  readonly onChange: (heirs: readonly Someone[]) => void;
}

/** Lets the person choose who gets the rooms of people who leave. */
const Owned = ({ people, heirs, onChange }: OwnedProps) => {
  const ids = people.map(({ id }) => id);
  const { data: owned, error, refetch } = useOwnedTotal(ids);
  if (owned === undefined && error === null) return <Skeleton mt="md" height={14} width="60%" />;
  if (owned === 0) return null;
  return (
    <Stack gap="xs" mt="md">
      {owned === undefined ? (
        <Failed failure={error} retry={() => void refetch()} />
      ) : (
        <Text size="sm">
          {t.handOver.owns(people.length, owned)}{" "}
          {around(
            t.handOver.orListed,
            <Link to="/rooms?withoutOwner=true" target="_blank" rel="noreferrer">
              {t.handOver.withoutOwner}
            </Link>,
          )}
        </Text>
      )}
      <HeirsField value={heirs} without={ids} onChange={onChange} />
    </Stack>
  );
};

/** Asks before people are suspended, revoked or deleted permanently: all or none. */
export const BulkConfirm = ({ kind, people, moved, onConfirm, onClose }: BulkConfirmProps) => {
  const days = useBinDays();
  const [heirs, setHeirs] = useState<readonly Someone[]>([]);
  const asked = askedOf(kind, people.length, people[0]?.name ?? "", days ?? null);
  const { title, confirm, help } = asked;
  // The question must say whether the deletion is final.
  if (kind === "delete" && days === undefined) {
    return <SettingsUnknown title={title} onClose={onClose} />;
  }
  return (
    <Confirm
      title={title}
      confirm={confirm}
      danger
      {...(kind === "delete" && days === null ? { word: t.people.deleteWord } : {})}
      explain={explainRefusal(people, moved)}
      onConfirm={() => onConfirm(heirs.map(({ id }) => id))}
      onClose={onClose}
    >
      <Text size="sm">{help}</Text>
      {kind === "delete" && days === null && <BinHint />}
      {people.length > 1 && (
        <ul className={css.names}>
          {people.slice(0, SHOWN).map((person) => (
            <li key={person.id}>
              <bdi>{person.name}</bdi>{" "}
              <span className="dimmed">
                <bdi>{person.email}</bdi>
              </span>
            </li>
          ))}
          {people.length > SHOWN && (
            <li className="dimmed">{t.rooms.moreOwners(people.length - SHOWN)}</li>
          )}
        </ul>
      )}
      {kind !== "suspend" && <Owned people={people} heirs={heirs} onChange={setHeirs} />}
    </Confirm>
  );
};
