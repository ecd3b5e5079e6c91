import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { fieldErrors, sayFailure } from "../data/client.ts";
import { Confirm } from "../parts/confirm.tsx";
import css from "../styles/people.module.css";
import { t } from "../texts/index.ts";
import type { Someone } from "./person-actions.tsx";

interface BulkConfirmProps {
  readonly kind: "revoke" | "delete";
  readonly people: readonly Someone[];
  readonly onConfirm: () => Promise<void>;
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
  return (
    <Confirm
      title={
        revokes
          ? t.people.revokeTitle(people.length, name)
          : t.people.deleteTitle(people.length, name)
      }
      confirm={revokes ? t.people.revokeConfirm(people.length) : t.people.deleteConfirm}
      danger
      {...(revokes ? {} : { word: t.people.deleteWord })}
      explain={explain(people)}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <Text size="sm">{revokes ? t.people.revokeHelp : t.people.deleteHelp(people.length)}</Text>
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
    </Confirm>
  );
};
