import { ActionIcon, Input, TextInput } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { email } from "../../contract/kit/fields.ts";
import { PersonPicker } from "../columns/person-picker.tsx";
import { takingFrom } from "../kit/picker.tsx";
import { useUser } from "../kit/session.ts";
import { t } from "../texts/index.ts";
import css from "./schedule.module.css";
import type { Invited } from "./schedule-values.ts";

const address = email();

/** Returns whether a text is an email address that can be invited. */
const isAddress = (text: string): boolean => address.safeParse(text).success;

/** A name with its address, as mail programs write it: `Lee, Ann <ann@example.org>`. */
const NAMED = /<\s*([^<>\s]+@[^<>\s]+)\s*>/g;

/** The addresses of a typed or pasted list, and what in it is none. */
const addressesIn = (
  text: string,
): { readonly emails: readonly string[]; readonly others: readonly string[] } => {
  const named = [...text.matchAll(NAMED)].flatMap(([, one]) => one ?? []);
  const words = text.replaceAll(NAMED, " ").split(/[\s,;]+/);
  // Beside names with addresses, the other words are the names.
  const all = [
    ...named,
    ...words.filter((word) => word !== "" && (!named.length || word.includes("@"))),
  ];
  return { emails: all.filter(isAddress), others: all.filter((one) => !isAddress(one)) };
};

const texts = t.schedule;

interface InviteesFieldProps {
  readonly people: readonly Invited[];
  readonly emails: readonly string[];
  readonly error: string | undefined;
  readonly onPeople: (people: readonly Invited[]) => void;
  readonly onEmails: (emails: readonly string[]) => void;
}

const InviteeLine = ({
  name,
  more,
  onRemove,
}: {
  readonly name: string;
  readonly more?: string;
  readonly onRemove: () => void;
}) => (
  <li className={css.invitee}>
    <span className={css.who}>
      <bdi>{name}</bdi>
      {more !== undefined && <bdi className="dimmed small">{more}</bdi>}
    </span>
    <ActionIcon variant="subtle" color="gray" aria-label={texts.uninvite(name)} onClick={onRemove}>
      <IconX size={16} />
    </ActionIcon>
  </li>
);

/** For people who may not look others up. */
const AddressInput = ({
  error,
  take,
  onType,
}: {
  readonly error: string | undefined;
  readonly take: (typed: string) => boolean;
  readonly onType: () => void;
}) => {
  const [typed, setTyped] = useState("");
  const taking = takingFrom(typed, take, () => setTyped(""));
  return (
    <TextInput
      aria-label={texts.labels.emails}
      placeholder={texts.inviteByEmail}
      type="text"
      inputMode="email"
      autoComplete="off"
      value={typed}
      error={error}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        onType();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        taking.finish();
      }}
      onPaste={taking.onPaste}
      onBlur={taking.finish}
    />
  );
};

/** The invited people: by name, for callers who may look them up, and by address, also as a pasted list. */
export const InviteesField = ({
  people,
  emails,
  error,
  onPeople,
  onEmails,
}: InviteesFieldProps) => {
  const { admin } = useUser();
  const [fault, setFault] = useState<string>();
  const box = useRef<HTMLDivElement>(null);
  const known = new Set(
    [...emails, ...people.map(({ email }) => email)].map((one) => one.toLowerCase()),
  );

  const take = (typed: string): boolean => {
    // A part of a name that is still being looked up.
    if (admin && !typed.includes("@")) return false;
    const found = addressesIn(typed);
    const fresh = new Map(found.emails.map((one) => [one.toLowerCase(), one]));
    for (const one of known) fresh.delete(one);
    if (fresh.size > 0) onEmails([...emails, ...fresh.values()]);
    const [wrong] = found.others;
    setFault(wrong === undefined ? undefined : texts.errors.notAnAddress(wrong));
    return wrong === undefined || found.emails.length > 0;
  };
  const removed = (): void => {
    setTimeout(() => box.current?.querySelector("input")?.focus());
  };
  const shown = fault ?? error;

  return (
    <Input.Wrapper
      ref={box}
      label={texts.labels.emails}
      description={texts.inviteHelp}
      labelElement="div"
    >
      <div className={css.add}>
        {admin ? (
          <PersonPicker
            label={texts.labels.emails}
            hideLabel
            placeholder={texts.inviteByName}
            without={people.map(({ userId }) => userId)}
            error={shown}
            take={take}
            onType={() => setFault(undefined)}
            onPick={({ id: userId, name, email }) => {
              setFault(undefined);
              onPeople([...people, { userId, name, email }]);
            }}
          />
        ) : (
          <AddressInput error={shown} take={take} onType={() => setFault(undefined)} />
        )}
      </div>
      <ul className={css.invitees} aria-label={texts.invited}>
        {people.map(({ userId, name, email }) => (
          <InviteeLine
            key={userId}
            name={name}
            more={email}
            onRemove={() => {
              onPeople(people.filter((one) => one.userId !== userId));
              removed();
            }}
          />
        ))}
        {emails.map((email) => (
          <InviteeLine
            key={email}
            name={email}
            onRemove={() => {
              onEmails(emails.filter((one) => one !== email));
              removed();
            }}
          />
        ))}
      </ul>
    </Input.Wrapper>
  );
};
