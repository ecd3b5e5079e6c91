import { Button } from "@mantine/core";
import { IconCalendarPlus } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import type { NextDate } from "../../../contract/schedule/schedule.ts";
import { sayFailure } from "../../kit/client.ts";
import { showZonedMoment } from "../../kit/show.ts";
import { useOnce } from "../../kit/use-once.ts";
import { m } from "../../texts/meet.ts";
import { fetchNext, saveCalendar } from "../call/calendar.ts";

interface CalendarButtonProps {
  /** The date, if the page has it already. */
  readonly next?: NextDate;
}

/** Saves the dates of the room of this page as a calendar file. */
export const CalendarButton = ({ next }: CalendarButtonProps) => {
  const [failure, setFailure] = useState<unknown>();
  const save = useOnce(async () => {
    setFailure(undefined);
    try {
      const date = next ?? (await fetchNext());
      if (date !== null) saveCalendar(date);
    } catch (error) {
      setFailure(error);
    }
  });
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconCalendarPlus size={16} />}
        onClick={() => void save()}
      >
        {m.plan.calendar}
      </Button>
      {failure !== undefined && (
        <p className="small" role="alert">
          {sayFailure(failure)}
        </p>
      )}
    </>
  );
};

interface NextMeetingProps {
  /** Whether the page says already how people get a link that opens then. */
  readonly pageSaysHow?: boolean;
}

/** When the room is used next, on pages of a meeting or link that is over; nothing where no date comes. */
export const NextMeeting = ({ pageSaysHow = false }: NextMeetingProps) => {
  const [next, setNext] = useState<NextDate | null>(null);
  useEffect(() => {
    // A page that is over needs no word about a date that it cannot get.
    fetchNext().then(setNext, () => setNext(null));
  }, []);
  if (next === null || Date.parse(next.startsAt) <= Date.now()) return null;
  const moment = showZonedMoment(next.startsAt);
  return (
    <>
      <p role="status">
        {next.opens || pageSaysHow ? m.plan.next(moment) : m.plan.askForNext(moment)}
      </p>
      <CalendarButton next={next} />
    </>
  );
};
