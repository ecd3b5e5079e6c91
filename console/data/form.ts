import { useCallback, useRef, useState } from "react";
import { fieldErrors } from "./client.ts";

type Errors = Readonly<Record<string, string>>;

/** The name of the field of an error path: `tags[2]` is about `tags`. */
const fieldOf = (path: string): string => path.split(/[.[]/)[0] ?? path;

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** The values of a form, what differs from the saved ones, and the service's words at its fields. */
export const useForm = <Values extends object>(saved: Values) => {
  const [values, setValues] = useState(saved);
  const [base, setBase] = useState(saved);
  const [errors, setErrors] = useState<Errors>({});
  const [failure, setFailure] = useState<unknown>();
  const element = useRef<HTMLFormElement>(null);

  const set = useCallback(<K extends keyof Values>(key: K, value: Values[K]): void => {
    setValues((before) => ({ ...before, [key]: value }));
    setErrors(({ [key as string]: _, ...others }) => others);
  }, []);

  const changed = (Object.keys(values) as (keyof Values)[]).filter(
    (key) => !isSame(values[key], base[key]),
  );

  /** Shows a failure: at its fields where it names some, otherwise as a whole. */
  const fail = (failed: unknown, atField: Errors = {}): void => {
    const named = fieldErrors(failed).map(
      ({ field, message }) => [fieldOf(field), message] as const,
    );
    const next = { ...atField, ...Object.fromEntries(named.reverse()) };
    setErrors(next);
    const all = Object.keys(next);
    setFailure(all.length > 0 && all.every((key) => key in values) ? undefined : failed);
    // After the errors are drawn.
    setTimeout(
      () => element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(),
      30,
    );
  };

  /** What is saved now. */
  const accept = (next: Values): void => {
    setBase(next);
    setValues(next);
    setErrors({});
    setFailure(undefined);
  };

  return {
    values,
    set,
    errors,
    failure,
    fail,
    accept,
    changed,
    dirty: changed.length > 0,
    element,
  };
};
