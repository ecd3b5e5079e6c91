import { TextInput } from "@mantine/core";
import type { z } from "zod";
import { roomSettings } from "../../contract/room-settings.ts";
import { createRoom } from "../../contract/rooms.ts";
import type { useForm } from "../data/form.ts";
import { longest } from "../data/schema.ts";
import { useUser } from "../data/session.ts";
import { EditForm, FormGroup } from "../parts/form-parts.tsx";
import { SchemaField } from "../parts/schema-field.tsx";
import css from "../styles/form.module.css";
import { t } from "../texts/index.ts";
import { SeatsNote } from "./engine-note.tsx";
import { OwnersField } from "./owners-field.tsx";
import type { RoomValues, SettingName } from "./room-values.ts";
import { settingGroups } from "./setting-groups.ts";

const LENGTH = longest(createRoom.input.shape.name);

/** Shown as dots until the person asks to see them. */
const secrets: ReadonlySet<SettingName> = new Set(["roomPassword", "liveStreamKey"]);

interface RoomFormProps {
  readonly form: ReturnType<typeof useForm<RoomValues>>;
  /** Whether the room is new: its ID can still be chosen. */
  readonly isNew: boolean;
  /** Whether the seats are a suggestion: neither the room's own nor copied from another room. */
  readonly suggests?: boolean;
  readonly busy: boolean;
  readonly onSubmit: () => void;
}

/** The settings of a room in their groups. */
export const RoomForm = ({ form, isNew, suggests = false, busy, onSubmit }: RoomFormProps) => {
  const { values, errors, set } = form;
  // Without `admin`, people may neither look others up nor decide who owns a room.
  const { admin } = useUser();
  return (
    <EditForm
      form={form}
      save={isNew ? t.rooms.saveNew : t.rooms.save}
      cancelTo="/rooms"
      isNew={isNew}
      busy={busy}
      onSubmit={onSubmit}
    >
      {settingGroups.map(({ group, settings }) => (
        <FormGroup
          key={group}
          id={group}
          {...t.rooms.groups[group]}
          {...(suggests && group === "seats" && { help: t.rooms.suggestedSeats })}
        >
          {group === "basics" && (
            <>
              <div className={css.wide}>
                <TextInput
                  label={t.rooms.labels.name}
                  description={t.rooms.nameHelp}
                  withAsterisk
                  name="name"
                  autoComplete="off"
                  {...(LENGTH === undefined ? {} : { maxLength: LENGTH })}
                  value={values.name}
                  onChange={(event) => set("name", event.currentTarget.value)}
                  error={errors.name}
                />
              </div>
              {admin && (
                <div className={css.wide}>
                  <OwnersField
                    value={values.roomOwnerId}
                    error={errors.roomOwnerId}
                    onChange={(owners) => set("roomOwnerId", owners)}
                  />
                </div>
              )}
              {isNew && (
                <TextInput
                  label={t.rooms.labels.room}
                  description={t.rooms.idHelp}
                  name="room"
                  autoComplete="off"
                  spellCheck={false}
                  value={values.room}
                  onChange={(event) => set("room", event.currentTarget.value)}
                  error={errors.room}
                />
              )}
            </>
          )}
          {group === "seats" && <SeatsNote values={values} />}
          {settings.map((name) => (
            <SchemaField
              key={name}
              name={name}
              schema={roomSettings[name].create as z.ZodType}
              label={t.rooms.labels[name]}
              help={t.rooms.help(name)}
              secret={secrets.has(name)}
              value={values[name]}
              error={errors[name]}
              onChange={(value) => set(name, value as never)}
            />
          ))}
        </FormGroup>
      ))}
    </EditForm>
  );
};
