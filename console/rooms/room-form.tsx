import { TextInput } from "@mantine/core";
import { createRoom } from "../../contract/rooms.ts";
import type { useForm } from "../data/form.ts";
import { longest } from "../data/schema.ts";
import { FormGroup, SaveBar } from "../parts/form-parts.tsx";
import css from "../styles/form.module.css";
import { t } from "../texts/index.ts";
import { OwnersField } from "./owners-field.tsx";
import type { RoomValues } from "./room-values.ts";
import { SettingField } from "./setting-field.tsx";
import { settingGroups } from "./setting-groups.ts";

const LENGTH = longest(createRoom.input.shape.name);

interface RoomFormProps {
  readonly form: ReturnType<typeof useForm<RoomValues>>;
  /** Whether the room is new: its ID can still be chosen. */
  readonly isNew: boolean;
  readonly busy: boolean;
  readonly onSubmit: () => void;
}

/** The settings of a room in their groups. */
export const RoomForm = ({ form, isNew, busy, onSubmit }: RoomFormProps) => {
  const { values, errors, set } = form;
  return (
    <form
      ref={form.element}
      className={css.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {settingGroups.map(({ group, settings }) => (
        <FormGroup key={group} id={group} {...t.rooms.groups[group]}>
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
              <div className={css.wide}>
                <OwnersField
                  value={values.roomOwnerId}
                  error={errors.roomOwnerId}
                  onChange={(owners) => set("roomOwnerId", owners)}
                />
              </div>
              {isNew && (
                <TextInput
                  label={t.rooms.labels.room}
                  description={`${t.rooms.idHelp} ${t.form.default(t.rooms.generated)}`}
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
          {settings.map((name) => (
            <SettingField
              key={name}
              name={name}
              value={values[name]}
              error={errors[name]}
              onChange={(value) => set(name, value as never)}
            />
          ))}
        </FormGroup>
      ))}
      <SaveBar
        save={isNew ? t.rooms.saveNew : t.rooms.save}
        cancelTo="/rooms"
        dirty={form.dirty}
        busy={busy}
        errors={Object.keys(errors).length}
        failure={form.failure}
      />
    </form>
  );
};
