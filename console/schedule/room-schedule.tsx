import { Button, Skeleton, Title } from "@mantine/core";
import { IconCalendarOff, IconCalendarPlus, IconPencil } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import type { Schedule } from "../../contract/schedule/schedule.ts";
import { invitedAhead, useSchedule } from "../data/schedule.ts";
import { parley } from "../kit/client.ts";
import { Confirm } from "../kit/confirm.tsx";
import facts from "../kit/facts.module.css";
import { notify } from "../kit/notices.tsx";
import { showDay, showLength, shownZone, showZonedMoment } from "../kit/show.ts";
import { Failed } from "../kit/states.tsx";
import { Tag } from "../kit/tag.tsx";
import { useChange } from "../kit/use-change.ts";
import { t } from "../texts/index.ts";
import { CalendarLinks } from "./calendar-links.tsx";
import css from "./schedule.module.css";
import type { ScheduledRoom } from "./schedule-dialog.tsx";
import { sayRepetition } from "./schedule-values.ts";

const texts = t.schedule;

const RoomScheduleDialog = lazy(async () => ({
  default: (await import("./schedule-dialog.tsx")).RoomScheduleDialog,
}));

interface SchedulePart {
  readonly schedule: Schedule;
}

const isOver = ({ lastEndsAt }: Schedule): boolean => Date.parse(lastEndsAt) <= Date.now();

/** A moment with its time zone; UTC is the name of its own clock. */
const inZone = (when: string, timeZone: string): string =>
  timeZone === "UTC" ? when : texts.inZone(when, timeZone);

/** A moment in the dates' own time zone, and in the person's where that is another one. */
const Moment = ({ at, timeZone }: { readonly at: string; readonly timeZone: string }) => {
  const there = showZonedMoment(at, timeZone);
  const here = showZonedMoment(at);
  return (
    <time dateTime={at}>
      {inZone(there, timeZone)}
      {timeZone !== shownZone() && here !== there && (
        <span className={`dimmed small ${css.here}`}>{inZone(here, shownZone())}</span>
      )}
    </time>
  );
};

const tones = { waiting: "calm", sent: "ok", file: "warn", refused: "bad" } as const;

/** The people whom the room invites, and the state of the last email to each. */
const Invitees = ({ schedule: { people, emails, invitations } }: SchedulePart) => {
  const states = new Map(invitations.map(({ email, state }) => [email, state]));
  const all = [...people, ...emails.map((email) => ({ userId: email, name: email, email }))];
  if (all.length === 0) return texts.nobody;
  return (
    <ul className={css.standing}>
      {all.map(({ userId, name, email }) => {
        const state = states.get(email) ?? null;
        return (
          <li key={userId}>
            <bdi>{name}</bdi>
            {name !== email && <bdi className="dimmed small">{email}</bdi>}
            {state !== null && <Tag tone={tones[state]}>{texts.states[state]}</Tag>}
          </li>
        );
      })}
    </ul>
  );
};

const Facts = ({ schedule }: SchedulePart) => {
  const { startsAt, nextAt, timeZone, minutes, repetition } = schedule;
  return (
    <dl className={facts.facts}>
      <dt>{texts.when}</dt>
      <dd>
        <Moment at={startsAt} timeZone={timeZone} />
      </dd>
      {repetition !== null && nextAt !== startsAt && (
        <>
          <dt>{texts.next}</dt>
          <dd>{nextAt === null ? texts.over : <Moment at={nextAt} timeZone={timeZone} />}</dd>
        </>
      )}
      <dt>{texts.lasts}</dt>
      <dd>{showLength(minutes)}</dd>
      <dt>{texts.repetition}</dt>
      <dd>{sayRepetition(repetition, showDay)}</dd>
      <dt>{texts.invited}</dt>
      <dd>
        <Invitees schedule={schedule} />
      </dd>
    </dl>
  );
};

const Cancel = ({
  room,
  schedule,
  onClose,
}: {
  readonly room: ScheduledRoom;
  readonly schedule: Schedule | null;
  readonly onClose: () => void;
}) => {
  const cancel = useChange(parley.editSchedule);
  const invited = invitedAhead(schedule);
  return (
    <Confirm
      title={texts.cancelTitle(room.name)}
      confirm={texts.cancel}
      danger
      onConfirm={async () => {
        await cancel.mutateAsync({ roomId: room.room, startsAt: null });
        notify({ text: texts.canceled(room.name) });
      }}
      onClose={onClose}
    >
      {texts.cancelHelp} {invited === 0 ? texts.sends.nothing : texts.sends.cancellations(invited)}
    </Confirm>
  );
};

interface RoomScheduleProps {
  readonly room: ScheduledRoom;
  readonly mayEdit: boolean;
}

/** When a room is used, and who is invited. */
export const RoomSchedule = ({ room, mayEdit }: RoomScheduleProps) => {
  const { data: schedule, error, refetch } = useSchedule(room.room);
  const [open, setOpen] = useState<"change" | "cancel">();
  const close = () => setOpen(undefined);
  const { scheduledDateTime: at } = room;
  if (schedule === null && at === null && !mayEdit) return null;
  return (
    <section className={`card ${css.panel}`} id="schedule" aria-labelledby="schedule-title">
      <div className={css.head}>
        <Title order={2} size="h5" id="schedule-title">
          {texts.section}
        </Title>
        {mayEdit && schedule !== undefined && (
          <div className={css.buttons}>
            <Button
              size="compact-sm"
              variant="default"
              leftSection={
                schedule === null ? <IconCalendarPlus size={15} /> : <IconPencil size={15} />
              }
              onClick={() => setOpen("change")}
            >
              {schedule !== null ? texts.change : at === null ? texts.button : texts.invite}
            </Button>
            {(schedule !== null || at !== null) && (
              <Button
                size="compact-sm"
                variant="default"
                leftSection={<IconCalendarOff size={15} />}
                onClick={() => setOpen("cancel")}
              >
                {texts.cancel}
              </Button>
            )}
          </div>
        )}
      </div>
      {error && schedule === undefined ? (
        <Failed failure={error} retry={() => void refetch()} />
      ) : schedule === undefined ? (
        <Skeleton height={60} />
      ) : schedule !== null ? (
        <>
          <Facts schedule={schedule} />
          {!isOver(schedule) && <CalendarLinks schedule={schedule} />}
        </>
      ) : at !== null ? (
        <time dateTime={at}>{showZonedMoment(at)}</time>
      ) : (
        <p className={`dimmed small ${css.line}`}>{texts.none}</p>
      )}
      {open === "change" && schedule !== undefined && (
        <Suspense>
          <RoomScheduleDialog room={room} schedule={schedule} onClose={close} />
        </Suspense>
      )}
      {open === "cancel" && <Cancel room={room} schedule={schedule ?? null} onClose={close} />}
    </section>
  );
};
