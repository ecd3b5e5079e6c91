import {
  Checkbox,
  Group,
  NativeSelect,
  NumberInput,
  Switch,
  Textarea,
  TextInput,
} from "@mantine/core";
import type { z } from "zod";
import { roomSettings } from "../../contract/room-settings.ts";
import { helpOf, kindOf, longest, mayBeNull, rangeOf, wordsOf } from "../data/schema.ts";
import { fromLocal, toLocal } from "../data/show.ts";
import { PasswordField } from "../parts/password-field.tsx";
import css from "../styles/form.module.css";
import { t } from "../texts/index.ts";
import type { SettingName } from "./room-values.ts";

/** Shown as dots until asked for. */
const secrets: ReadonlySet<SettingName> = new Set(["roomPassword", "liveStreamKey"]);

/** A word with the interface's own spelling, which its help sentences use. */
export const labelOfWord = (word: string): string => {
  const label = t.rooms.word(word);
  return label.toLowerCase() === word.toLowerCase() ? label : `${label} (${word})`;
};

export const sayValue = (value: unknown): string => {
  if (value === true) return t.form.on;
  if (value === false) return t.form.off;
  if (value === null || value === "" || (Array.isArray(value) && value.length === 0))
    return t.form.none;
  if (Array.isArray(value)) return value.map(labelOfWord).join(", ");
  return typeof value === "string" ? labelOfWord(value) : String(value);
};

interface SettingFieldProps {
  readonly name: SettingName;
  readonly value: unknown;
  readonly error: string | undefined;
  readonly onChange: (value: unknown) => void;
}

/** One setting: its label from the catalogue; help, default, words and limits from the contract. */
export const SettingField = ({ name, value, error, onChange }: SettingFieldProps) => {
  const { create, initial } = roomSettings[name] as {
    readonly create: z.ZodType;
    readonly initial: unknown;
  };
  const label = t.rooms.labels[name];
  const help = `${helpOf(create) ?? ""} ${t.form.default(sayValue(initial))}`;
  const shared = { label, description: help, error, name };
  const length = longest(create);
  const limited = length === undefined ? {} : { maxLength: length };
  const emptied = (text: string): unknown => (text === "" && mayBeNull(create) ? null : text);

  switch (kindOf(create)) {
    case "flag":
      return (
        <Switch
          {...shared}
          // The library's label holds the help too, which then would be read twice.
          aria-label={label}
          className={css.switch ?? ""}
          checked={value === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case "number":
      return (
        <NumberInput
          {...shared}
          {...rangeOf(create)}
          // Out of range is said by the service at the field, not mended in silence.
          clampBehavior="none"
          allowDecimal={false}
          value={value as number | string}
          onChange={onChange}
        />
      );
    case "choice": {
      const known = wordsOf(create);
      const present = typeof value === "string" && !known.includes(value) ? [value] : [];
      return (
        <NativeSelect
          {...shared}
          value={(value as string | null) ?? ""}
          onChange={(event) => onChange(emptied(event.currentTarget.value))}
          data={[
            ...(mayBeNull(create) ? [{ value: "", label: t.form.none }] : []),
            ...[...known, ...present].map((word) => ({ value: word, label: labelOfWord(word) })),
          ]}
        />
      );
    }
    case "choices": {
      const chosen = (value as string[] | null) ?? [];
      const words = [...new Set([...wordsOf(create), ...chosen])];
      return (
        <Checkbox.Group
          {...shared}
          value={chosen}
          onChange={(next) =>
            onChange(next.length === 0 ? null : words.filter((word) => next.includes(word)))
          }
        >
          <Group gap="md" mt="xs">
            {words.map((word) => (
              <Checkbox key={word} value={word} label={labelOfWord(word)} />
            ))}
          </Group>
        </Checkbox.Group>
      );
    }
    case "moment":
      return (
        <TextInput
          {...shared}
          type="datetime-local"
          value={toLocal(value as string | null)}
          onChange={(event) => onChange(fromLocal(event.currentTarget.value))}
        />
      );
    case "long text":
      return (
        <div className={css.wide}>
          <Textarea
            {...shared}
            {...limited}
            autosize
            minRows={2}
            maxRows={10}
            value={(value as string | null) ?? ""}
            onChange={(event) => onChange(emptied(event.currentTarget.value))}
          />
        </div>
      );
    default: {
      const Field = secrets.has(name) ? PasswordField : TextInput;
      return (
        <Field
          {...shared}
          {...limited}
          autoComplete={secrets.has(name) ? "new-password" : "off"}
          value={(value as string | null) ?? ""}
          onChange={(event) => onChange(emptied(event.currentTarget.value))}
        />
      );
    }
  }
};
