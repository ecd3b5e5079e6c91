import { Checkbox, NativeSelect, NumberInput } from "@mantine/core";
import { isByWeekday, repetitions, type Weekday, weekdays } from "../../contract/kit/plain.ts";
import { MOST_DATES } from "../../contract/schedule/days.ts";
import type { useForm } from "../kit/form.ts";
import { DateField } from "../kit/moments.tsx";
import { showLength, showWeek, zoneChoices } from "../kit/show.ts";
import { t } from "../texts/index.ts";
import { InviteesField } from "./invitees-field.tsx";
import css from "./schedule.module.css";
import { type ScheduleValues, weekdayOfLocal } from "./schedule-values.ts";

const texts = t.schedule;
const { labels } = texts;

/** The lengths that are offered, in minutes. */
const LENGTHS = [15, 20, 30, 45, 60, 75, 90, 120, 150, 180, 240, 300, 360, 480];

interface FieldsProps {
  readonly form: Pick<ReturnType<typeof useForm<ScheduleValues>>, "values" | "errors" | "set">;
}

/** How the dates repeat, and when they end. */
const Repeating = ({ form: { values, errors, set } }: FieldsProps) => {
  const { repetition, days, ends, until, count, startsAt } = values;
  const first = weekdayOfLocal(startsAt);
  return (
    <>
      <NativeSelect
        className={css.wide ?? ""}
        name="repetition"
        label={labels.repetition}
        value={repetition}
        error={errors.repetition}
        onChange={(event) =>
          set("repetition", event.currentTarget.value as ScheduleValues["repetition"])
        }
        data={(["never", ...repetitions] as const).map((value) => ({
          value,
          label: texts.every[value],
        }))}
      />
      {repetition !== "never" && isByWeekday(repetition) && (
        <Checkbox.Group
          className={css.wide ?? ""}
          label={labels.days}
          value={weekdays.filter((day) => day === first || days.includes(day))}
          onChange={(chosen) => set("days", chosen as Weekday[])}
        >
          <div className={css.days}>
            {showWeek().map((day) => (
              <Checkbox key={day} value={day} label={texts.days[day]} disabled={day === first} />
            ))}
          </div>
        </Checkbox.Group>
      )}
      {repetition !== "never" && (
        <>
          <NativeSelect
            name="ends"
            label={labels.ends}
            value={ends}
            onChange={(event) => set("ends", event.currentTarget.value as ScheduleValues["ends"])}
            data={(["until", "count"] as const).map((value) => ({
              value,
              label: texts.ends[value],
            }))}
          />
          {ends === "until" ? (
            <DateField
              name="until"
              type="date"
              label={labels.until}
              min={startsAt.slice(0, 10)}
              value={until}
              error={errors.until}
              onChange={(event) => set("until", event.currentTarget.value)}
            />
          ) : (
            <NumberInput
              name="count"
              label={labels.count}
              min={2}
              max={MOST_DATES}
              clampBehavior="none"
              allowDecimal={false}
              value={count}
              error={errors.count}
              onChange={(value) => set("count", value)}
            />
          )}
        </>
      )}
    </>
  );
};

/** When a room is used, and who is invited. */
export const ScheduleFields = ({ form }: FieldsProps) => {
  const { values, errors, set } = form;
  return (
    <>
      <DateField
        name="startsAt"
        type="datetime-local"
        label={labels.startsAt}
        value={values.startsAt}
        error={errors.startsAt}
        onChange={(event) => set("startsAt", event.currentTarget.value)}
      />
      <NativeSelect
        name="minutes"
        label={labels.minutes}
        value={String(values.minutes)}
        error={errors.minutes}
        onChange={(event) => set("minutes", Number(event.currentTarget.value))}
        data={[...new Set([...LENGTHS, values.minutes])]
          .sort((one, other) => one - other)
          .map((minutes) => ({ value: String(minutes), label: showLength(minutes) }))}
      />
      <NativeSelect
        className={css.wide ?? ""}
        name="timeZone"
        label={labels.timeZone}
        value={values.timeZone}
        error={errors.timeZone}
        onChange={(event) => set("timeZone", event.currentTarget.value)}
        data={[...zoneChoices(values.timeZone)]}
      />
      <Repeating form={form} />
      <div className={css.wide}>
        <InviteesField
          people={values.userIds}
          emails={values.emails}
          error={errors.userIds ?? errors.emails}
          onPeople={(people) => set("userIds", people)}
          onEmails={(emails) => set("emails", emails)}
        />
      </div>
    </>
  );
};
