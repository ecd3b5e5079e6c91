import { Button } from "@mantine/core";
import { IconCalendarPlus } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import type { NextDate } from "../../../contract/schedule/schedule.ts";
import { parley, sayFailure } from "../../kit/client.ts";
import { saveFile } from "../../kit/save-file.ts";
import { showZonedMoment } from "../../kit/show.ts";
import { useOnce } from "../../kit/use-once.ts";
import { m } from "../../texts/meet.ts";
import { roomHere, sessionToken } from "../address.ts";

/** When the room of this page is used next; null where no date comes. */
const fetchNext = async (): Promise<NextDate | null> =>
  (
    await parley.fetchNextDate({
      roomId: roomHere(),
      ...(sessionToken !== undefined && { sessionToken }),
    })
  ).next;

/** Saves the dates of a room as a calendar file. */
const saveCalendar = ({ calendar }: NextDate): void =>
  saveFile("meeting.ics", new Blob([calendar], { type: "text/calendar;charset=utf-8" }));

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
  /** True if the page says already how people get a link that opens then. */
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
