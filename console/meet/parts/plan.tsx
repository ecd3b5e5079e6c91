import { ActionIcon } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import { useState } from "react";
import type { EnteredRoom } from "../../../contract/meetings/meetings.ts";
import { Dialog } from "../../kit/dialog.tsx";
import { showZonedMoment } from "../../kit/show.ts";
import { m } from "../../texts/meet.ts";
import css from "../styles/plan.module.css";
import { Linked } from "./linked.tsx";
import { CalendarButton } from "./next-date.tsx";

interface PlanProps {
  readonly room: EnteredRoom;
  /** True to offer a calendar file of a date that is ahead. */
  readonly withCalendar?: boolean;
}

const isAhead = (date: string): boolean => Date.parse(date) > Date.now();

/** The room's agenda, if it has one. */
export const Agenda = ({ room: { roomAgenda } }: Pick<PlanProps, "room">) =>
  roomAgenda ? (
    <p className={css.agenda}>
      <Linked text={roomAgenda} />
    </p>
  ) : null;

/** The room's date, if it has one: in the person's own time zone. */
export const PlannedDate = ({ room: { scheduledDateTime }, withCalendar = false }: PlanProps) =>
  scheduledDateTime ? (
    <>
      <p className="dimmed small">{m.plan.scheduled(showZonedMoment(scheduledDateTime))}</p>
      {withCalendar && isAhead(scheduledDateTime) && <CalendarButton />}
    </>
  ) : null;

/** The room's agenda and date. */
export const AgendaAndDate = (props: PlanProps) => (
  <>
    <Agenda room={props.room} />
    <PlannedDate {...props} />
  </>
);

/** The same for people inside, to look it up. */
export const PlanButton = ({ room }: PlanProps) => {
  const [isOpen, setOpen] = useState(false);
  if (!room.roomAgenda && !room.scheduledDateTime) return null;
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={m.plan.title}
        onClick={() => setOpen(true)}
      >
        <IconInfoCircle size={18} />
      </ActionIcon>
      {isOpen && (
        <Dialog title={m.plan.title} onClose={() => setOpen(false)}>
          <AgendaAndDate room={room} />
        </Dialog>
      )}
    </>
  );
};
