import { DateField } from "./moments.tsx";
import css from "./toolbar.module.css";

/**
 * The beginning of a day from the address bar, in the person's own time zone; for its end, that of the next
 * day.
 */
export const momentOf = (day: string, more = 0): string | undefined => {
  const [year = 0, month = 0, date = 0] = /^\d{4}-\d\d-\d\d$/.test(day)
    ? day.split("-").map(Number)
    : [];
  return year === 0 ? undefined : new Date(year, month - 1, date + more).toISOString();
};

interface DayFilterProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (day: string) => void;
}

/** The first or the last day that a list shows. */
export const DayFilter = ({ label, value, onChange }: DayFilterProps) => (
  <DateField
    className={css.day ?? ""}
    type="date"
    aria-label={label}
    leftSection={
      <span aria-hidden className="dimmed small">
        {label}
      </span>
    }
    leftSectionWidth={52}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);
