import { Button } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useEffect, useState } from "react";
import { isolated } from "../../../contract/kit/plain.ts";
import type { View } from "../../../contract/meetings/socket.ts";
import type { MeetingLayout } from "../../embed/protocol.ts";
import { m } from "../../texts/meet.ts";
import { seesEverybody } from "../call/media.ts";
import { type Tile, tilesOf } from "../call/tiles.ts";
import { useMeeting, useOwnMedia } from "../connection.ts";
import { useHidden } from "../embed/embedding.ts";
import css from "../styles/stage.module.css";
import { ChatNotice } from "./chat-notice.tsx";
import { Grid } from "./grid.tsx";
import { copyLink } from "./more-menu.tsx";
import { TileView } from "./tile-view.tsx";

interface StageProps {
  readonly view: View;
  readonly mode: MeetingLayout;
}

/** The other person who spoke last; they stay until somebody else speaks. */
const useLastSpeaker = (you: string, speaking: ReadonlySet<string>): string | undefined => {
  const [last, setLast] = useState<string>();
  useEffect(() => {
    const others = [...speaking].filter((peerId) => peerId !== you);
    setLast((before) => (before && others.includes(before) ? before : (others[0] ?? before)));
  }, [you, speaking]);
  return last;
};

/** The tile that is shown large; undefined: all are equal. A pinned tile comes first, then a screen. */
const focusOf = (
  tiles: readonly Tile[],
  pinned: string | undefined,
  mode: StageProps["mode"],
  speaker: string | undefined,
): Tile | undefined => {
  const others = tiles.filter(({ isOwn }) => !isOwn);
  return (
    tiles.find(({ key }) => key === pinned) ??
    others.find(({ kind }) => kind === "screen") ??
    (mode === "speaker"
      ? (others.find(({ peerId }) => peerId === speaker) ?? others[0])
      : undefined)
  );
};

/** All people and shared screens. */
export const StageView = ({ view, mode }: StageProps) => {
  const { people, speaking, hidesSelf } = useMeeting();
  const own = useOwnMedia();
  const isLinkHidden = useHidden()("link");
  const [pinned, setPinned] = useState<string>();
  const isNarrow = useMediaQuery("(max-width: 48em)") ?? false;
  const speaker = useLastSpeaker(view.you.peerId, speaking);
  const all = tilesOf(view, own, people);
  const others = all.filter(({ isOwn, kind }) => !isOwn || kind === "screen");
  // A person who is alone sees themselves all the same: the stage would be empty.
  const tiles = hidesSelf && others.length > 0 ? others : all;
  // A person alone on the stage fills it.
  const focus =
    focusOf(tiles, pinned, mode, speaker) ?? (tiles.length === 1 ? tiles[0] : undefined);
  const seesAll = seesEverybody(view);
  const rest = tiles.filter((tile) => tile !== focus);
  const shared = { speaking, pinned, onPin: setPinned };
  return (
    <section
      className={css.stage}
      data-focus={(focus !== undefined && rest.length > 0) || undefined}
      aria-label={m.stage.label}
    >
      {focus && (
        <ul
          className={css.large}
          aria-label={tiles.length === 1 ? m.stage.label : isolated(focus.name)}
        >
          <TileView
            tile={focus}
            isSpeaking={focus.kind === "person" && speaking.has(focus.peerId)}
            isPinned={focus.key === pinned}
            onPin={setPinned}
          />
        </ul>
      )}
      {rest.length > 0 && (
        <Grid
          {...shared}
          tiles={rest}
          narrowest={focus ? (isNarrow ? 120 : 160) : isNarrow ? 140 : 200}
          label={m.stage.label}
        />
      )}
      <ChatNotice view={view} />
      {(view.peers.length === 0 || tiles.length === 0) && (
        <div className={css.alone}>
          <p>{seesAll ? m.stage.alone : m.stage.noneSeen}</p>
          <p className="small">{seesAll ? m.stage.aloneHelp : m.stage.noneSeenHelp}</p>
          {seesAll && !isLinkHidden && (
            <Button size="compact-sm" onClick={() => void copyLink(view)}>
              {m.bar.copyLink}
            </Button>
          )}
        </div>
      )}
    </section>
  );
};
