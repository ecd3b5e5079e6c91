import { Checkbox } from "@mantine/core";
import { type EventGroup, eventGroups, type WebhookEvent } from "../../contract/webhooks/events.ts";
import { t } from "../texts/index.ts";
import css from "./webhooks.module.css";

const texts = t.webhooks;
const groups = Object.keys(eventGroups) as EventGroup[];

interface EventFieldsProps {
  readonly value: readonly WebhookEvent[];
  readonly error: string | undefined;
  readonly onChange: (events: readonly WebhookEvent[]) => void;
}

/** A checkbox per event, in groups that can be checked as a whole. */
export const EventFields = ({ value, error, onChange }: EventFieldsProps) => {
  const chosen = new Set(value);
  const set = (events: readonly WebhookEvent[], on: boolean): void => {
    const next = new Set(value);
    for (const event of events) on ? next.add(event) : next.delete(event);
    onChange([...next]);
  };
  return (
    <>
      {groups.map((group) => {
        const events: readonly WebhookEvent[] = eventGroups[group];
        const count = events.filter((event) => chosen.has(event)).length;
        return (
          <fieldset key={group} className={css.group}>
            <legend className="unseen">{texts.groups[group]}</legend>
            <Checkbox
              label={texts.groups[group]}
              aria-label={texts.all[group]}
              className={css.all ?? ""}
              checked={count === events.length}
              indeterminate={count > 0 && count < events.length}
              onChange={() => set(events, count < events.length)}
            />
            <div className={css.events}>
              {events.map((event) => (
                <Checkbox
                  key={event}
                  label={texts.events[event]}
                  checked={chosen.has(event)}
                  onChange={(change) => set([event], change.currentTarget.checked)}
                />
              ))}
            </div>
          </fieldset>
        );
      })}
      {error !== undefined && (
        <p role="alert" className={css.wrong}>
          {error}
        </p>
      )}
    </>
  );
};
