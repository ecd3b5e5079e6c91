import { TextInput, type TextInputProps } from "@mantine/core";
import { fromLocal, showDay, showField, showMoment, toLocal } from "./show.ts";

/** The day of a moment in a table; pointing at it shows the time too. */
export const Day = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={showMoment(at)}>
    {showDay(at)}
  </time>
);

interface DateFieldProps extends TextInputProps {
  readonly type: "date" | "datetime-local";
  readonly value: string;
}

/**
 * A field of date, or of date and time, as the browser has it: with its keys and, on phones, its wheels. It is in
 * the browser's language.
 */
export const DateField = ({ value, type, description, ...field }: DateFieldProps) => {
  const words = showField(value);
  return (
    <TextInput
      {...field}
      description={
        words ? (
          <>
            {description} {words}
          </>
        ) : (
          description
        )
      }
      type={type}
      // With a latest year of four digits, a fifth digit goes to the next part of the field.
      max={type === "date" ? "9999-12-31" : "9999-12-31T23:59"}
      value={value}
    />
  );
};

interface MomentFieldProps extends Omit<TextInputProps, "value" | "onChange"> {
  /** ISO 8601; null for none. */
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
}

/** A field of date and time, in the person's own time zone. */
export const MomentField = ({ value, onChange, ...field }: MomentFieldProps) => (
  <DateField
    {...field}
    type="datetime-local"
    value={toLocal(value)}
    onChange={(event) => {
      const moment = fromLocal(event.currentTarget.value);
      if (moment !== undefined) onChange(moment);
    }}
  />
);
