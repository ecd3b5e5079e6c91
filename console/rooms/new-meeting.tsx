import { ActionIcon, Button, Group } from "@mantine/core";
import { IconLink, IconVideo } from "@tabler/icons-react";
import { parley, sayFailure } from "../kit/client.ts";
import { notify } from "../kit/notices.tsx";
import { useMay } from "../kit/queries.ts";
import { useChange } from "../kit/use-change.ts";
import { useOnce } from "../kit/use-once.ts";
import { copyRoomLink, doorOf } from "../meetings/enter-room.tsx";
import { t } from "../texts/index.ts";

/** The person's own room, which is made when it is first used. */
export const useOwnRoom = () => {
  const open = useChange(parley.openPersonalRoom);
  return async () => (await open.mutateAsync({})).roomSetting;
};

/** Starts a meeting in the person's own room. */
export const useNewMeeting = () => {
  const room = useOwnRoom();
  return useOnce(async () => {
    // Opened at the click: a browser refuses tabs that open later.
    const tab = window.open("", "_blank");
    try {
      const address = doorOf((await room()).room);
      if (tab) tab.location.replace(address);
      else location.assign(address);
    } catch (failure) {
      tab?.close();
      notify({ text: sayFailure(failure), kind: "failed" });
    }
  });
};

/** Starts a meeting in the person's own room, or copies the link of that room. */
export const NewMeeting = () => {
  const may = useMay();
  const room = useOwnRoom();
  const start = useNewMeeting();
  const copy = useOnce(async () => {
    try {
      await copyRoomLink(await room());
    } catch (failure) {
      notify({ text: sayFailure(failure), kind: "failed" });
    }
  });

  return (
    may?.createRooms && (
      <Group gap={4} wrap="nowrap">
        <Button
          leftSection={<IconVideo size={16} />}
          aria-label={`${t.rooms.meetNow.button} (${t.nav.newTab})`}
          onClick={() => void start()}
        >
          {t.rooms.meetNow.button}
        </Button>
        <ActionIcon
          variant="default"
          size={36}
          title={t.rooms.meetNow.copy}
          aria-label={t.rooms.meetNow.copy}
          onClick={() => void copy()}
        >
          <IconLink size={16} />
        </ActionIcon>
      </Group>
    )
  );
};
