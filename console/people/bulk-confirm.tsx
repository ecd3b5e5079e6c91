import { Stack, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import { useBinDays } from "../data/bin.ts";
import { fieldErrors, sayFailure } from "../data/client.ts";
import { useOwnedTotal } from "../data/hand-over.ts";
import { Confirm } from "../parts/confirm.tsx";
import css from "../styles/people.module.css";
import { t } from "../texts/index.ts";
import { HeirsField } from "./heirs-field.tsx";
import type { Someone } from "./person-actions.tsx";

interface BulkConfirmProps {
  readonly kind: "revoke" | "delete";
  readonly people: readonly Someone[];
  /** @param heirs the user IDs of who gets the rooms; empty: the rooms stay as they are */
  readonly onConfirm: (heirs: readonly string[]) => Promise<void>;
  readonly onClose: () => void;
}

/** The people that a change was refused for: the service names them by place, `[3].userId`. */
const explain =
  (people: readonly Someone[]) =>
  (failure: unknown): ReactNode => {
    const places = fieldErrors(failure).map(({ field }) => Number(/^\[(\d+)\]/.exec(field)?.[1]));
    const names = places.flatMap((place) => people[place]?.name ?? []);
    return (
      <>
        <div>{sayFailure(failure)}</div>
        {names.length > 0 && <div>{t.people.refusedFor(names.join(", "))}</div>}
        <div>{t.people.nothingChanged}</div>
      </>
    );
  };

const SHOWN = 6;

/** Asks before one or many are revoked or deleted for good: all of them, or none. */
export const BulkConfirm = ({ kind, people, onConfirm, onClose }: BulkConfirmProps) => {
  const name = people[0]?.name ?? "";
  const revokes = kind === "revoke";
  const days = useBinDays();
  const ids = people.map(({ id }) => id);
  const owned = useOwnedTotal(ids) ?? 0;
  const [heirs, setHeirs] = useState<readonly Someone[]>([]);
  // Whether it is final has to stand in the question.
  if (days === undefined) return null;
  return (
    <Confirm
      title={
        revokes
          ? t.people.revokeTitle(people.length, name)
          : days === null
            ? t.people.deleteTitle(people.length, name)
            : t.bin.deletePeopleTitle(people.length, name)
      }
      confirm={
        revokes
          ? t.people.revokeConfirm(people.length)
          : days === null
            ? t.people.deleteConfirm
            : t.bin.deletePeople
      }
      danger
      {...(revokes || days !== null ? {} : { word: t.people.deleteWord })}
      explain={explain(people)}
      onConfirm={() => onConfirm(heirs.map(({ id }) => id))}
      onClose={onClose}
    >
      <Text size="sm">
        {revokes
          ? t.people.revokeHelp
          : days === null
            ? t.people.deleteHelp(people.length)
            : t.bin.peopleRest(people.length, days)}
      </Text>
      {people.length > 1 && (
        <ul className={css.names}>
          {people.slice(0, SHOWN).map((person) => (
            <li key={person.id}>
              {person.name} <span className="dimmed">{person.email}</span>
            </li>
          ))}
          {people.length > SHOWN && (
            <li className="dimmed">{t.rooms.moreOwners(people.length - SHOWN)}</li>
          )}
        </ul>
      )}
      {owned > 0 && (
        <Stack gap="xs" mt="md">
          <Text size="sm">
            {t.handOver.owns(people.length, owned)}{" "}
            {!revokes && (
              <Link to="/rooms?withoutOwner=true" target="_blank" rel="noreferrer">
                {t.handOver.withoutOwner}
              </Link>
            )}
          </Text>
          <HeirsField value={heirs} without={ids} onChange={setHeirs} />
        </Stack>
      )}
    </Confirm>
  );
};
