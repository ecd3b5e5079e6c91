import { Button } from "@mantine/core";
import { IconLink, IconVideo } from "@tabler/icons-react";
import { base } from "../data/base.ts";
import { parley, sayFailure } from "../data/client.ts";
import type { RoomRecord } from "../data/queries.ts";
import { useOnce } from "../data/use-once.ts";
import { copyUrl } from "../parts/copy-link.tsx";
import { notify } from "../parts/notices.tsx";
import { t } from "../texts/index.ts";

/** The address at which a room is entered. */
export const doorOf = (room: string): string => `${base}/m/${encodeURIComponent(room)}`;

/** Copies the link that opens a room to anybody who has it. */
export const copyLink = async (roomId: string): Promise<void> => {
  try {
    const { url } = await parley.getRoomLink({ roomId });
    if (await copyUrl(url)) notify({ text: t.actions.copied });
  } catch (failure) {
    notify({ text: sayFailure(failure), kind: "failed" });
  }
};

interface RoomButtonProps {
  readonly room: Pick<RoomRecord, "room" | "name" | "roomStatus">;
  readonly size?: "sm" | "compact-sm";
}

/** Opens a room in a new tab, so that the console stays open. */
export const EnterButton = ({ room, size = "sm" }: RoomButtonProps) => {
  const running = room.roomStatus !== "free";
  return (
    <Button
      component="a"
      size={size}
      href={doorOf(room.room)}
      target="_blank"
      rel="noreferrer"
      leftSection={<IconVideo size={16} />}
      aria-label={`${t.meetings.joinRoom(room.name, running)} (${t.nav.newTab})`}
    >
      {running ? t.meetings.join : t.meetings.start}
    </Button>
  );
};

export const CopyLinkButton = ({ room: { room, name }, size = "sm" }: RoomButtonProps) => {
  const copy = useOnce(() => copyLink(room));
  return (
    <Button
      variant="default"
      size={size}
      leftSection={<IconLink size={16} />}
      aria-label={t.meetings.copyLinkOf(name)}
      onClick={() => void copy()}
    >
      {t.meetings.copyLink}
    </Button>
  );
};
