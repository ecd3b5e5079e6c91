import { NativeSelect, NumberInput, TextInput } from "@mantine/core";
import type { z } from "zod";
import { roomSettings } from "../../contract/rooms/settings.ts";
import {
  type Entering,
  entering,
  enteringOf,
  type Recorded,
  recordedOf,
  recordingOfPeople,
  seatCount,
  seatsFor,
} from "../data/first-values.ts";
import type { RoomValues } from "../data/room-values.ts";
import css from "../kit/form.module.css";
import type { useForm } from "../kit/form.ts";
import { FormGroup } from "../kit/form-parts.tsx";
import { PasswordField } from "../kit/password-field.tsx";
import { longest, rangeOf } from "../kit/schema.ts";
import { sayRoomWord } from "../kit/words.ts";
import { t } from "../texts/index.ts";
import { SeatsNote } from "./engine-note.tsx";

const texts = t.rooms.first;
const { max } = rangeOf(roomSettings.noOfParticipants.create as z.ZodType);

const password = longest(roomSettings.roomPassword.create);

interface FirstChoicesProps {
  readonly form: Pick<ReturnType<typeof useForm<RoomValues>>, "values" | "errors" | "set">;
  readonly nameLength: number | undefined;
}

/** The values that a new room needs: its name, its type, and three choices. Everything else is folded below. */
export const FirstChoices = ({ form: { values, errors, set }, nameLength }: FirstChoicesProps) => {
  const change = (changes: Partial<RoomValues>): void => {
    for (const [name, value] of Object.entries(changes)) set(name as keyof RoomValues, value);
  };
  const recorded = recordedOf(values);
  const offered = new Set<Recorded>(["off", "everybody", "moderators", recorded]);
  return (
    <FormGroup title={texts.title} help={texts.help}>
      <div className={css.wide}>
        <TextInput
          label={t.rooms.labels.name}
          description={t.rooms.nameHelp}
          withAsterisk
          name="name"
          autoComplete="off"
          data-autofocus
          {...(nameLength === undefined ? {} : { maxLength: nameLength })}
          value={values.name}
          onChange={(event) => set("name", event.currentTarget.value)}
          error={errors.name}
        />
      </div>
      <NativeSelect
        name="roomType"
        label={t.rooms.labels.roomType}
        description={t.rooms.help.roomType}
        value={values.roomType}
        error={errors.roomType}
        onChange={(event) => {
          const roomType = event.currentTarget.value;
          change({ roomType, ...seatsFor(roomType, seatCount(values)) });
        }}
        data={["conferencing", "event", "p2p"].map((word) => ({
          value: word,
          label: sayRoomWord(word),
        }))}
      />
      <NativeSelect
        label={texts.who}
        description={texts.whoHelp}
        value={enteringOf(values)}
        onChange={(event) => change(entering(event.currentTarget.value as Entering, values))}
        data={(["anyone", "waiting", "password", "both"] as const).map((value) => ({
          value,
          label: texts[value],
        }))}
      />
      {values.roomPassword !== null && (
        <PasswordField
          label={t.rooms.labels.roomPassword}
          description={t.rooms.help.roomPassword}
          withAsterisk
          name="roomPassword"
          autoComplete="off"
          {...(password === undefined ? {} : { maxLength: password })}
          value={values.roomPassword}
          onChange={(event) => set("roomPassword", event.currentTarget.value)}
          error={errors.roomPassword}
        />
      )}
      <NativeSelect
        label={texts.recording}
        description={texts.recordingHelp}
        value={recorded}
        onChange={(event) => change(recordingOfPeople(event.currentTarget.value as Recorded))}
        data={[...offered].map((value) => ({ value, label: t.rooms.recorded[value] }))}
      />
      {values.roomType !== "p2p" && (
        <NumberInput
          label={texts.people}
          description={texts.peopleHelp}
          min={1}
          {...(max === undefined ? {} : { max })}
          clampBehavior="none"
          allowDecimal={false}
          value={seatCount(values)}
          onChange={(people) => change(seatsFor(values.roomType, Number(people)))}
        />
      )}
      <SeatsNote values={values} />
    </FormGroup>
  );
};
