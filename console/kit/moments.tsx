import { TextInput, type TextInputProps } from "@mantine/core";
import { fromLocal, showDay, showMoment, toLocal } from "./show.ts";

/** The day of a moment in a table; pointing at it shows the time too. */
export const Day = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={showMoment(at)}>
    {showDay(at)}
  </time>
);

interface MomentFieldProps extends Omit<TextInputProps, "value" | "onChange"> {
  /** ISO 8601; null for none. */
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
}

/** A field of date and time, in the person's own time zone. */
export const MomentField = ({ value, onChange, ...field }: MomentFieldProps) => (
  <TextInput
    {...field}
    type="datetime-local"
    // With a latest year of four digits, a fifth digit goes to the next part of the field.
    max="9999-12-31T23:59"
    value={toLocal(value)}
    onChange={(event) => {
      const moment = fromLocal(event.currentTarget.value);
      if (moment !== undefined) onChange(moment);
    }}
  />
);
