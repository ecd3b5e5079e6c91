import { useCallback, useRef, useState } from "react";
import { asLine } from "../../contract/kit/plain.ts";
import { type FieldError, fieldErrors } from "./client.ts";
import { reasonText } from "./reasons.ts";

type Errors = Readonly<Record<string, string>>;

/** The labels of the fields, by field name. */
export type Labels = Readonly<Record<string, string>>;

/** The name of the field of an error path: `tags[2]` is about `tags`. */
const fieldOf = (path: string): string => path.split(/[.[]/)[0] ?? path;

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Typed or pasted text as it is sent: one line, without its surroundings. */
export const asTyped = <Values>(values: Values): Values => {
  const typed: unknown =
    typeof values === "string"
      ? asLine(values)
      : Array.isArray(values)
        ? values.map(asTyped)
        : typeof values === "object" && values !== null
          ? Object.fromEntries(Object.entries(values).map(([key, one]) => [key, asTyped(one)]))
          : values;
  return typed as Values;
};

/** The fields with different values. */
export const changesOf = <Values extends object>(one: Values, other: Values): (keyof Values)[] =>
  (Object.keys(one) as (keyof Values)[]).filter((key) => !isSame(one[key], other[key]));

/** The service's English sentence about a field, with the field's label as its subject. */
const inEnglish = (path: string, message: string, labels: Labels): string => {
  const label = labels[fieldOf(path)];
  return label !== undefined && message.startsWith(`${path} `)
    ? label + message.slice(path.length).replace(/,? or null\b/, "")
    : message;
};

/** The error of a field, in the page's language, with the field's label as its subject. */
const inWords = (error: FieldError, labels: Labels): string =>
  reasonText(error, labels[fieldOf(error.field)] ?? error.field) ??
  inEnglish(error.field, error.message, labels);

/** A failure's text about one field, in people's words; undefined if it is not about that field. */
export const errorAt = (failure: unknown, name: string, label: string): string | undefined => {
  const error = fieldErrors(failure).find(({ field }) => fieldOf(field) === name);
  return error && inWords(error, { [name]: label });
};

/** A form's values, their differences from the saved ones, and the errors of its fields. */
export const useForm = <Values extends object>(saved: Values, labels: Labels) => {
  const [values, setValues] = useState(saved);
  const [base, setBase] = useState(saved);
  const [errors, setErrors] = useState<Errors>({});
  const [failure, setFailure] = useState<unknown>();
  const element = useRef<HTMLFormElement>(null);

  const set = useCallback(<K extends keyof Values>(key: K, value: Values[K]): void => {
    setValues((before) => ({ ...before, [key]: value }));
    setErrors(({ [key as string]: _, ...others }) => others);
  }, []);

  const changed = changesOf(values, base);
  /** The changed values. Only these are sent, because other people edit too. */
  const changes = Object.fromEntries(changed.map((key) => [key, values[key]])) as Partial<Values>;

  /** Shows a failure: at the fields that it names, otherwise for the whole form. */
  const fail = (failed: unknown, atField: Errors = {}): void => {
    const named = fieldErrors(failed).map(
      (error) => [fieldOf(error.field), inWords(error, labels)] as const,
    );
    const next = { ...atField, ...Object.fromEntries(named.reverse()) };
    setErrors(next);
    const all = Object.keys(next);
    setFailure(all.length > 0 && all.every((key) => key in values) ? undefined : failed);
    // Waits until the errors are drawn.
    setTimeout(
      () => element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(),
      30,
    );
  };

  /** Shows what is wrong with a field before the form is sent: a text, or what the contract finds. */
  const refuse = useCallback(
    (key: keyof Values & string, fault: string | FieldError): void => {
      const text = typeof fault === "string" ? fault : inWords(fault, labels);
      setErrors((before) => ({ ...before, [key]: text }));
    },
    [labels],
  );

  /** Makes these values the saved ones and keeps editing. */
  const rebase = (next: Values, savedNow: Values): void => {
    setBase(savedNow);
    setValues(next);
    setErrors({});
    setFailure(undefined);
  };

  /** Shows the saved values; a field edited after `sent` was sent keeps its value. */
  const accept = (next: Values, sent: Values): void => {
    setBase(next);
    setValues((now) => {
      const edited = changesOf(now, sent).map((key) => [key, now[key]]);
      return { ...next, ...Object.fromEntries(edited) };
    });
    setErrors({});
    setFailure(undefined);
  };

  return {
    values,
    /** The values that were saved last. */
    base,
    changes,
    set,
    errors,
    failure,
    fail,
    refuse,
    rebase,
    accept,
    dirty: changed.length > 0,
    element,
  };
};
