import { Alert, Button, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { createRoom } from "../../contract/rooms/rooms.ts";
import { roomSettings } from "../../contract/rooms/settings.ts";
import type { Schedule } from "../../contract/schedule/schedule.ts";
import { hasSeatsFor, peopleExpected } from "../../contract/schedule/seats.ts";
import { seatCount } from "../data/first-values.ts";
import { splitOwners } from "../data/room-values.ts";
import { parley, sayFailure } from "../kit/client.ts";
import { Dialog } from "../kit/dialog.tsx";
import { FailureNote } from "../kit/failure-note.tsx";
import { useForm } from "../kit/form.ts";
import { notify } from "../kit/notices.tsx";
import type { RoomRecord } from "../kit/queries.ts";
import { longest } from "../kit/schema.ts";
import { useChange } from "../kit/use-change.ts";
import { useOnce } from "../kit/use-once.ts";
import { t } from "../texts/index.ts";
import { type Scheduled, useNewSchedule } from "./new-schedule.ts";
import { scheduling } from "./requests.ts";
import css from "./schedule.module.css";
import { ScheduleFields } from "./schedule-fields.tsx";
import {
  faultsOf,
  firstMomentOf,
  newSchedule,
  type ScheduleValues,
  saySent,
  valuesOfSchedule,
} from "./schedule-values.ts";
import { ScheduledDone } from "./scheduled.tsx";

const texts = t.schedule;
const NAME_LENGTH = longest(createRoom.input.shape.name);
const AGENDA_LENGTH = longest(roomSettings.roomAgenda.create);

const useScheduleForm = (start: ScheduleValues, isNew: boolean, saved?: string) => {
  const form = useForm(start, texts.labels);
  /** Shows what is wrong before anything is sent. @returns whether something is */
  const check = (): boolean => {
    const faults = faultsOf(form.values, isNew, saved);
    const isWrong = Object.keys(faults).length > 0;
    if (isWrong) form.fail(new Error(), faults);
    return isWrong;
  };
  return { form, check };
};

interface FootProps {
  readonly save: string;
  readonly busy: boolean;
  readonly failure: unknown;
  readonly sends: string;
  /** The notes that somebody should read before saving. */
  readonly warning?: string | undefined;
  readonly onClose: () => void;
}

const Foot = ({ save, busy, failure, sends, warning, onClose }: FootProps) => (
  <>
    {warning !== undefined && (
      <Alert color="yellow" variant="light" role="status" mt="md">
        {warning}
      </Alert>
    )}
    <FailureNote failure={failure} className={css.failure} />
    <div className={css.foot}>
      <p className="dimmed small" role="status">
        {sends}
      </p>
      <Button variant="default" onClick={onClose}>
        {t.actions.cancel}
      </Button>
      <Button type="submit" loading={busy}>
        {save}
      </Button>
    </div>
  </>
);

/** Schedules a meeting in a new room, and shows its link. */
export const NewScheduleDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const [start] = useState(newSchedule);
  const { form, check } = useScheduleForm(start, true);
  const { values, errors, set } = form;
  const { room, run } = useNewSchedule();
  const [done, setDone] = useState<Scheduled>();

  const submit = useOnce(async () => {
    if (check()) return;
    try {
      setDone(await run.mutateAsync(values));
    } catch (failure) {
      form.fail(failure);
    }
  });
  const close = (): void => {
    if (room !== undefined && done === undefined) notify({ text: texts.halfLeft(room.name) });
    onClose();
  };

  if (done !== undefined) {
    return (
      <Dialog title={texts.doneTitle(done.schedule.roomName)} onClose={onClose} size="lg">
        <ScheduledDone {...done} onClose={onClose} />
      </Dialog>
    );
  }
  const failure =
    room === undefined || run.error === null
      ? form.failure
      : `${texts.half(room.name, sayFailure(run.error))} ${texts.halfHelp}`;
  return (
    <Dialog title={texts.newTitle} onClose={close} size="lg" firm="outside">
      <form
        ref={form.element}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <div className={css.fields}>
          <TextInput
            className={css.wide ?? ""}
            name="name"
            label={texts.labels.name}
            withAsterisk
            autoComplete="off"
            data-autofocus
            {...(NAME_LENGTH === undefined ? {} : { maxLength: NAME_LENGTH })}
            value={values.name}
            error={errors.name}
            disabled={room !== undefined}
            onChange={(event) => set("name", event.currentTarget.value)}
          />
          <ScheduleFields form={form} />
          <Textarea
            className={css.wide ?? ""}
            name="roomAgenda"
            label={texts.labels.roomAgenda}
            description={texts.agendaHelp}
            autosize
            minRows={2}
            maxRows={8}
            {...(AGENDA_LENGTH === undefined ? {} : { maxLength: AGENDA_LENGTH })}
            value={values.roomAgenda}
            error={errors.roomAgenda}
            disabled={room !== undefined}
            onChange={(event) => set("roomAgenda", event.currentTarget.value)}
          />
        </div>
        <Foot
          save={room === undefined ? texts.submitNew : texts.submitAgain}
          busy={run.isPending}
          failure={failure}
          sends={saySent(start, values)}
          onClose={close}
        />
      </form>
    </Dialog>
  );
};

/** The facts about a room that is scheduled. */
export type ScheduledRoom = Pick<
  RoomRecord,
  | "room"
  | "name"
  | "scheduledDateTime"
  | "roomOwnerId"
  | "noOfModerators"
  | "noOfParticipants"
  | "noOfViewers"
>;

/** The note before somebody is invited to a room without a seat for everybody. */
const warningOf = (room: ScheduledRoom, { userIds, emails }: ScheduleValues) => {
  const owners = splitOwners(room.roomOwnerId);
  const expected = { owners, userIds: userIds.map(({ userId }) => userId), emails };
  return hasSeatsFor(room, expected)
    ? undefined
    : texts.tooFewSeats(seatCount(room), peopleExpected(expected));
};

interface RoomScheduleProps {
  readonly room: ScheduledRoom;
  readonly schedule: Schedule | null;
  readonly onClose: () => void;
}

/** Schedules a room that there is, or changes its dates and who is invited. */
export const RoomScheduleDialog = ({ room, schedule, onClose }: RoomScheduleProps) => {
  const [start] = useState(() => {
    const { scheduledDateTime: at } = room;
    const isAhead = at !== null && Date.parse(at) > Date.now();
    return schedule === null ? newSchedule(isAhead ? at : null) : valuesOfSchedule(schedule);
  });
  const { form, check } = useScheduleForm(
    start,
    false,
    schedule === null ? undefined : firstMomentOf(start),
  );
  const edit = useChange(parley.editSchedule);
  const submit = useOnce(async () => {
    if (check()) return;
    try {
      await edit.mutateAsync(scheduling(room.room, form.values));
      notify({ text: texts.saved(room.name) });
      onClose();
    } catch (failure) {
      form.fail(failure);
    }
  });
  return (
    <Dialog
      title={schedule === null ? texts.roomTitle(room.name) : texts.changeTitle(room.name)}
      onClose={onClose}
      size="lg"
      firm="outside"
    >
      <form
        ref={form.element}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <div className={css.fields}>
          <ScheduleFields form={form} />
        </div>
        <Foot
          save={texts.submitSave}
          busy={edit.isPending}
          failure={form.failure}
          sends={saySent(start, form.values)}
          warning={warningOf(room, form.values)}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
};
