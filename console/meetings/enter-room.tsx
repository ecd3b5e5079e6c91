import { Button } from "@mantine/core";
import { IconLink, IconVideo } from "@tabler/icons-react";
import { base } from "../kit/base.ts";
import { parley, sayFailure } from "../kit/client.ts";
import { copyUrl } from "../kit/copy-link.tsx";
import { notify } from "../kit/notices.tsx";
import type { RoomRecord } from "../kit/queries.ts";
import { showMoment, showSentences } from "../kit/show.ts";
import { useOnce } from "../kit/use-once.ts";
import { t } from "../texts/index.ts";

/** The address of a room's meeting. */
export const doorOf = (room: string): string => `${base}/m/${encodeURIComponent(room)}`;

/** How long a room's link works, in words. */
const lifeOf = ({ roomPermalink, scheduledDateTime: date }: Linked): string => {
  if (roomPermalink) return t.meetings.linkLives.forGood;
  const isAhead = date !== null && Date.parse(date) > Date.now();
  return isAhead ? t.meetings.linkLives.untilDate(showMoment(date)) : t.meetings.linkLives.untilMet;
};

type Linked = Pick<RoomRecord, "room" | "roomPermalink" | "scheduledDateTime">;

/** Copies the link that opens a room to anybody who has it. */
export const copyRoomLink = async (room: Linked): Promise<void> => {
  try {
    const { url } = await parley.getRoomLink({ roomId: room.room });
    if (await copyUrl(url)) notify({ text: showSentences([t.meetings.linkCopied, lifeOf(room)]) });
  } catch (failure) {
    notify({ text: sayFailure(failure), kind: "failed" });
  }
};

interface EnterButtonProps {
  readonly room: Pick<RoomRecord, "room" | "name" | "roomStatus">;
  readonly size?: "sm" | "compact-sm";
  readonly variant?: "filled" | "default";
}

/** Opens a room in a new tab, so that the console stays open. */
export const EnterButton = ({ room, size = "sm", variant = "filled" }: EnterButtonProps) => {
  const running = room.roomStatus !== "free";
  return (
    <Button
      component="a"
      size={size}
      variant={variant}
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

interface CopyLinkButtonProps {
  readonly room: Linked & Pick<RoomRecord, "name">;
  readonly size?: "sm" | "compact-sm";
}

export const CopyLinkButton = ({ room, size = "sm" }: CopyLinkButtonProps) => {
  const copy = useOnce(() => copyRoomLink(room));
  return (
    <Button
      variant="default"
      size={size}
      leftSection={<IconLink size={16} />}
      aria-label={t.meetings.copyLinkOf(room.name)}
      onClick={() => void copy()}
    >
      {t.meetings.copyLink}
    </Button>
  );
};
