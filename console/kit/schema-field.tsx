import {
  Autocomplete,
  Checkbox,
  Group,
  NativeSelect,
  NumberInput,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
} from "@mantine/core";
import type { z } from "zod";
import { t } from "../texts/index.ts";
import css from "./form.module.css";
import { nameOfLanguage } from "./language.ts";
import { MomentField } from "./moments.tsx";
import { PasswordField } from "./password-field.tsx";
import { choiceWords, kindOf, longest, mayBeNull, rangeOf } from "./schema.ts";
import { showLanguage, showRow } from "./show.ts";
import { sayRoomWord } from "./words.ts";

export const sayValue = (value: unknown): string => {
  if (value === true) return t.form.on;
  if (value === false) return t.form.off;
  if (value === null || value === "" || (Array.isArray(value) && value.length === 0))
    return t.form.none;
  if (Array.isArray(value)) return showRow(value.map(sayRoomWord));
  return typeof value === "string" ? sayRoomWord(value) : String(value);
};

/** How fields of languages name them. */
const namedBy = { language: nameOfLanguage, speechLanguage: showLanguage } as const;

/** A field's value in words. */
export const sayField = (field: string, value: unknown): string =>
  typeof value === "string" && field in namedBy
    ? namedBy[field as keyof typeof namedBy](value)
    : sayValue(value);

interface SchemaFieldProps {
  readonly name: string;
  /** The contract's schema: it determines the kind of field, its words and its limits. */
  readonly schema: z.ZodType;
  readonly label: string;
  readonly help: string | undefined;
  /** True if the field must be filled in. */
  readonly required?: boolean;
  readonly value: unknown;
  readonly error: string | undefined;
  readonly onChange: (value: unknown) => void;
  /** Shown as dots until the person asks to see it. */
  readonly secret?: boolean;
  /** The values of a text that people choose from instead of typing; empty: none. */
  readonly choices?: Readonly<Record<string, string>>;
  /** When the person leaves a field to type in. */
  readonly onLeave?: () => void;
  /** Values that were used before, offered while the person types. */
  readonly suggestions?: readonly string[];
}

/** A form field, derived from the contract's schema and the texts. */
export const SchemaField = (props: SchemaFieldProps) => {
  const { name, schema, label, help, value, error, onChange } = props;
  const { required = false, secret = false, suggestions, choices, onLeave } = props;
  const shared = { label, description: help, error, name };
  const length = longest(schema);
  const limited = length === undefined ? {} : { maxLength: length };
  const emptied = (text: string): unknown => (text === "" && mayBeNull(schema) ? null : text);

  const kind = kindOf(schema);
  if (choices !== undefined) {
    const unknown = typeof value === "string" && !(value in choices) ? { [value]: value } : {};
    return (
      <NativeSelect
        {...shared}
        value={(value as string | null) ?? ""}
        onChange={(event) => onChange(emptied(event.currentTarget.value))}
        data={Object.entries({ ...choices, ...unknown }).map(([word, text]) => ({
          value: word,
          label: text,
        }))}
      />
    );
  }
  switch (kind) {
    case "flag":
      return (
        <Switch
          {...shared}
          // The library's label includes the help, which would then be read twice.
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
          {...rangeOf(schema)}
          // If a number is out of range, the service refuses it; the field does not correct it.
          clampBehavior="none"
          allowDecimal={false}
          value={value as number | string}
          onChange={onChange}
        />
      );
    case "choice": {
      const known = choiceWords(schema);
      const unknown = typeof value === "string" && !known.includes(value) ? [value] : [];
      return (
        <NativeSelect
          {...shared}
          value={(value as string | null) ?? ""}
          onChange={(event) => onChange(emptied(event.currentTarget.value))}
          data={[
            ...(mayBeNull(schema) ? [{ value: "", label: t.form.noChoice }] : []),
            ...[...known, ...unknown].map((word) => ({ value: word, label: sayRoomWord(word) })),
          ]}
        />
      );
    }
    case "tags":
      return (
        <div className={css.wide}>
          <TagsInput
            {...shared}
            placeholder={t.form.tagsPlaceholder}
            value={[...(value as readonly string[])]}
            onChange={onChange}
          />
        </div>
      );
    case "choices": {
      const chosen = (value as string[] | null) ?? [];
      const words = [...new Set([...choiceWords(schema), ...chosen])];
      return (
        <Checkbox.Group
          {...shared}
          value={chosen}
          onChange={(next) =>
            onChange(next.length === 0 ? null : words.filter((word) => next.includes(word)))
          }
        >
          <Group gap="md" mt="xs" mb={5}>
            {words.map((word) => (
              <Checkbox key={word} value={word} label={sayRoomWord(word)} />
            ))}
          </Group>
        </Checkbox.Group>
      );
    }
    case "moment":
      return <MomentField {...shared} value={value as string | null} onChange={onChange} />;
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
      const text = {
        ...shared,
        ...limited,
        withAsterisk: required,
        autoComplete: secret ? "new-password" : "off",
        onBlur: onLeave,
        value: (value as string | null) ?? "",
        ...(kind === "email" ? { type: "email" } : {}),
      };
      if (suggestions !== undefined) {
        return (
          <Autocomplete
            {...text}
            data={[...suggestions]}
            onChange={(next) => onChange(emptied(next))}
          />
        );
      }
      const Field = secret ? PasswordField : TextInput;
      return <Field {...text} onChange={(event) => onChange(emptied(event.currentTarget.value))} />;
    }
  }
};
