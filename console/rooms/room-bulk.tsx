import { Button, NativeSelect, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { z } from "zod";
import { MOST_ROOMS, type RefusedRooms } from "../../contract/rooms/bulk.ts";
import { initialSettings, roomSettings } from "../../contract/rooms/settings.ts";
import css from "../columns/people.module.css";
import { useBinDays } from "../data/bin.ts";
import type { SettingName } from "../data/room-values.ts";
import { BinHint, SettingsUnknown } from "../kit/before-deleting.tsx";
import { parley, refusalText, sayFailure } from "../kit/client.ts";
import { Confirm } from "../kit/confirm.tsx";
import { takeBack } from "../kit/history.ts";
import { notify } from "../kit/notices.tsx";
import type { RoomRecord } from "../kit/queries.ts";
import { SchemaField } from "../kit/schema-field.tsx";
import { useUser } from "../kit/session.ts";
import { showSentences } from "../kit/show.ts";
import { useChange } from "../kit/use-change.ts";
import { t } from "../texts/index.ts";
import { OwnersField } from "./owners-field.tsx";
import { settingGroups } from "./setting-groups.ts";

const texts = t.roomBulk;
type Room = Pick<RoomRecord, "room" | "name">;

/** The settings of which each room has its own value. */
const own: ReadonlySet<SettingName> = new Set([
  "scheduledDateTime",
  "liveStreamUrl",
  "liveStreamKey",
]);

const choices = settingGroups.map(({ group, settings }) => ({
  group: t.rooms.groups[group].title,
  items: settings
    .filter((name) => !own.has(name))
    .map((name) => ({ value: name, label: t.rooms.labels[name] })),
}));

/** How many refused rooms a notice names. */
const NAMED = 3;

/** Says what was done with several rooms, with Undo, and which of them stay as they are. */
const useOutcome = (rooms: readonly Room[], onDone: () => void) => {
  const { admin } = useUser();
  const undo = useChange((entry: number) =>
    takeBack(entry, new AbortController().signal, () => {}),
  );
  const nameOf = new Map(rooms.map(({ room, name }) => [room, name]));
  const back = async (entry: number): Promise<void> => {
    try {
      const stayed = await undo.mutateAsync(entry);
      notify({ text: stayed === 0 ? texts.undone : texts.undoneBut(stayed) });
    } catch (failure) {
      notify({ text: sayFailure(failure), kind: "failed" });
    }
  };
  return (
    say: (count: number, name: string) => string,
    done: readonly string[],
    {
      refused,
      entry,
      isFinal = false,
    }: {
      readonly refused: RefusedRooms;
      readonly entry: number | null;
      readonly isFinal?: boolean;
    },
  ): void => {
    const undoing = entry !== null && admin && !isFinal ? { undo: () => back(entry) } : {};
    if (done.length > 0) {
      notify({ text: say(done.length, nameOf.get(done[0] ?? "") ?? ""), ...undoing });
    }
    if (refused.length > 0) {
      const named = refused
        .slice(0, NAMED)
        .map((one) => texts.refused(nameOf.get(one.room) ?? one.room, refusalText(one)));
      const more = refused.length - NAMED;
      const lines = [texts.unchanged(refused.length), ...named];
      notify({
        text: showSentences([...lines, ...(more > 0 ? [texts.andMore(more)] : [])]),
        kind: "failed",
      });
    }
    onDone();
  };
};

interface DialogProps {
  readonly rooms: readonly Room[];
  readonly onDone: () => void;
  readonly onClose: () => void;
}

const idsOf = (rooms: readonly Room[]): string[] => rooms.map(({ room }) => room);

const SettingDialog = ({ rooms, onDone, onClose }: DialogProps) => {
  const [name, setName] = useState<SettingName>();
  const [value, setValue] = useState<unknown>();
  const edit = useChange(parley.editRooms);
  const tell = useOutcome(rooms, onDone);
  return (
    <Confirm
      title={texts.settingTitle(rooms.length, rooms[0]?.name ?? "")}
      confirm={texts.confirm}
      isComplete={name !== undefined}
      onClose={onClose}
      onConfirm={async () => {
        const answer = await edit.mutateAsync({
          rooms: idsOf(rooms),
          ...(name && { [name]: value }),
        });
        tell(texts.changed, answer.edited, answer);
      }}
    >
      <Stack gap="md">
        <NativeSelect
          label={texts.which}
          value={name ?? ""}
          onChange={(event) => {
            const chosen = event.currentTarget.value as SettingName | "";
            setName(chosen === "" ? undefined : chosen);
            setValue(chosen === "" ? undefined : initialSettings[chosen]);
          }}
          data={[{ value: "", label: texts.choose }, ...choices]}
        />
        {name !== undefined && (
          <SchemaField
            key={name}
            name={name}
            schema={roomSettings[name].create as z.ZodType}
            label={t.rooms.labels[name]}
            help={t.rooms.help[name]}
            value={value}
            error={undefined}
            onChange={setValue}
            secret={name === "roomPassword"}
          />
        )}
      </Stack>
    </Confirm>
  );
};

const OwnersDialog = ({ rooms, onDone, onClose }: DialogProps) => {
  const [owners, setOwners] = useState<readonly string[]>([]);
  const edit = useChange(parley.editRooms);
  const tell = useOutcome(rooms, onDone);
  return (
    <Confirm
      title={texts.handOverTitle(rooms.length, rooms[0]?.name ?? "")}
      confirm={texts.handOver}
      isComplete={owners.length > 0}
      onClose={onClose}
      onConfirm={async () => {
        const answer = await edit.mutateAsync({
          rooms: idsOf(rooms),
          roomOwnerId: owners.join(","),
        });
        tell(texts.changed, answer.edited, answer);
      }}
    >
      <Text size="sm" mb="sm">
        {texts.handOverHelp}
      </Text>
      <OwnersField value={owners} error={undefined} onChange={setOwners} />
    </Confirm>
  );
};

const DeleteDialog = ({ rooms, onDone, onClose }: DialogProps) => {
  const days = useBinDays();
  const remove = useChange(parley.deleteRooms);
  const tell = useOutcome(rooms, onDone);
  const count = rooms.length;
  const title = texts.deleteTitle(count, rooms[0]?.name ?? "");
  // The question must say whether the deletion is final.
  if (days === undefined) return <SettingsUnknown title={title} onClose={onClose} />;
  const isFinal = days === null;
  return (
    <Confirm
      title={title}
      confirm={texts.deleteConfirm(count)}
      danger
      {...(isFinal ? { word: texts.deleteWord } : {})}
      onClose={onClose}
      onConfirm={async () => {
        const answer = await remove.mutateAsync({ rooms: idsOf(rooms) });
        tell(texts.deleted, answer.deleted, { ...answer, isFinal });
      }}
    >
      <Text size="sm">{isFinal ? t.rooms.deleteGoes : t.bin.roomRests(days)}</Text>
      {isFinal && <BinHint />}
    </Confirm>
  );
};

const dialogs = { setting: SettingDialog, owners: OwnersDialog, delete: DeleteDialog } as const;

interface RoomBulkProps {
  /** The selected rooms. */
  readonly rooms: readonly Room[];
  readonly onClear: () => void;
}

/** The actions for the selected rooms. */
export const RoomBulk = ({ rooms, onClear }: RoomBulkProps) => {
  const { admin } = useUser();
  const [asking, setAsking] = useState<keyof typeof dialogs>();
  // The dialog shows what was selected when it was opened: after the change nothing is.
  const [asked, setAsked] = useState<readonly Room[]>([]);
  const open = (what: keyof typeof dialogs) => {
    setAsked(rooms);
    setAsking(what);
  };
  const isTooMany = rooms.length > MOST_ROOMS;
  const shared = { size: "compact-sm", variant: "default", disabled: isTooMany } as const;
  const Asked = asking && dialogs[asking];
  return (
    <>
      {rooms.length > 0 && (
        <div className={css.bulk}>
          <span role="status">
            {t.table.selected(rooms.length)}
            {isTooMany && ` ${texts.tooMany(MOST_ROOMS)}`}
          </span>
          <Button variant="subtle" size="compact-sm" onClick={onClear}>
            {t.table.clearSelection}
          </Button>
          <Button {...shared} onClick={() => open("setting")}>
            {texts.setting}
          </Button>
          {admin && (
            <>
              <Button {...shared} onClick={() => open("owners")}>
                {texts.handOver}
              </Button>
              <Button
                size="compact-sm"
                color="red.9"
                disabled={isTooMany}
                onClick={() => open("delete")}
              >
                {texts.delete}
              </Button>
            </>
          )}
        </div>
      )}
      {Asked && <Asked rooms={asked} onDone={onClear} onClose={() => setAsking(undefined)} />}
    </>
  );
};
