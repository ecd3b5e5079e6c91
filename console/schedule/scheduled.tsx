import { Button, Stack } from "@mantine/core";
import { Link } from "react-router";
import type { Schedule } from "../../contract/schedule/schedule.ts";
import { addressOfRoom } from "../columns/room-columns.tsx";
import { useSchedule } from "../data/schedule.ts";
import { CopyButton } from "../kit/copy.tsx";
import { said } from "../kit/said.tsx";
import { showDay, showLength, showZonedMoment } from "../kit/show.ts";
import { t } from "../texts/index.ts";
import { CalendarLinks } from "./calendar-links.tsx";
import type { Scheduled } from "./new-schedule.ts";
import css from "./schedule.module.css";
import { sayRepetition } from "./schedule-values.ts";

const texts = t.schedule;

/** When a room is used, in one line. */
export const sayWhen = ({ startsAt, timeZone, minutes, repetition }: Schedule): string =>
  [
    showZonedMoment(startsAt, timeZone),
    showLength(minutes),
    ...(repetition === null ? [] : [sayRepetition(repetition, showDay)]),
  ].join(" · ");

/** The state of the invitations; without a mail server nobody gets one. */
const saySent = (invitations: Schedule["invitations"]): string => {
  if (invitations.length === 0) return texts.sentNobody;
  return invitations.some(({ state }) => state === "file")
    ? texts.sentToFile
    : texts.sent(invitations.length);
};

interface ScheduledProps extends Scheduled {
  readonly onClose: () => void;
}

/** The results: the link, the calendar, the invitations. */
export const ScheduledDone = ({ schedule, url, onClose }: ScheduledProps) => {
  const { data } = useSchedule(schedule.roomId);
  const { invitations } = data ?? schedule;
  return (
    <Stack gap="md">
      <p className={css.line}>{sayWhen(schedule)}</p>
      <div className={css.link}>
        <code>{url}</code>
        <CopyButton text={url} label={texts.copyLink} />
      </div>
      <p className={css.line} role="status">
        {said(saySent(invitations))}
      </p>
      <CalendarLinks schedule={schedule} />
      <div className={css.foot}>
        <Button
          component={Link}
          to={addressOfRoom(schedule.roomId)}
          variant="default"
          onClick={onClose}
        >
          {texts.openRoom}
        </Button>
        <Button onClick={onClose} data-autofocus autoFocus>
          {t.actions.done}
        </Button>
      </div>
    </Stack>
  );
};
