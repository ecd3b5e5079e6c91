import { ActionIcon, Tooltip } from "@mantine/core";
import {
  IconHandStop,
  IconMicrophoneOff,
  IconPin,
  IconPinnedOff,
  IconScreenShare,
} from "@tabler/icons-react";
import { isolated } from "../../../contract/kit/plain.ts";
import { m } from "../../texts/meet.ts";
import { sayHand } from "../call/hands.ts";
import type { Tile } from "../call/tiles.ts";
import { isDown } from "../call/way.ts";
import css from "../styles/tile.module.css";
import { FullScreenButton } from "./full-screen.tsx";
import { Picture } from "./picture.tsx";
import { QualityBars } from "./quality-bars.tsx";

interface TileViewProps {
  readonly tile: Tile;
  readonly isSpeaking: boolean;
  readonly isPinned: boolean;
  readonly onPin: (key: string | undefined) => void;
  readonly size?: { readonly width: number; readonly height: number };
}

/** The text beside the name of a tile. */
const titleOf = ({ kind, name, isOwn }: Tile): string =>
  kind === "person" ? name : isOwn ? m.stage.ownShare : m.stage.shareOf(name);

const States = ({ tile }: { readonly tile: Tile }) =>
  tile.kind === "person" && (
    <>
      {tile.hasHandUp && (
        <span className={css.hand}>
          <IconHandStop size={15} aria-hidden />
          {tile.handPlace !== undefined && <span aria-hidden>{tile.handPlace}</span>}
          <span className="unseen">{sayHand(tile.handPlace)}</span>
        </span>
      )}
      {tile.isMuted && (
        <>
          <IconMicrophoneOff size={15} aria-hidden />
          <span className="unseen">{m.stage.muted}</span>
        </>
      )}
    </>
  );

/** Why there is no picture, if the person did not simply turn it off. */
const Trouble = ({ tile }: { readonly tile: Tile }) => {
  if (tile.isOwn) return null;
  if (tile.isAway) return <p className={css.trouble}>{m.stage.away}</p>;
  if (tile.isExpected && tile.link === "connecting") {
    return <p className={css.trouble}>{m.stage.connecting}</p>;
  }
  if (isDown(tile.link)) return <p className={css.trouble}>{m.stage[tile.link]}</p>;
  return null;
};

/** One person or screen on the stage. */
export const TileView = ({ tile, isSpeaking, isPinned, onPin, size }: TileViewProps) => {
  const title = titleOf(tile);
  const pin = isPinned ? m.stage.unpin(title) : m.stage.pin(title);
  const Pin = isPinned ? IconPinnedOff : IconPin;
  return (
    <li
      className={css.tile}
      data-speaking={isSpeaking || undefined}
      data-kind={tile.kind}
      style={size && { width: size.width, height: size.height }}
    >
      {/* Below the picture: visible until the first picture has arrived. */}
      {tile.kind === "person" && (
        <span className={css.initials} style={{ background: tile.color }} aria-hidden>
          {tile.initials}
        </span>
      )}
      {tile.picture && (
        <Picture
          attach={tile.picture}
          whole={tile.kind === "screen"}
          mirrored={tile.isOwn && tile.kind === "person"}
          label={isolated(title)}
        />
      )}
      <Trouble tile={tile} />
      <p className={css.name}>
        {tile.kind === "screen" && <IconScreenShare size={15} aria-hidden />}
        <States tile={tile} />
        <bdi className={css.text}>{title}</bdi>
        {tile.kind === "person" && tile.quality && <QualityBars quality={tile.quality} size={15} />}
        {isSpeaking && <span className="unseen">{m.stage.speaking}</span>}
      </p>
      <FullScreenButton title={title} />
      <Tooltip label={pin}>
        <ActionIcon
          className={css.pin ?? ""}
          variant="filled"
          color="dark"
          aria-label={pin}
          data-pinned={isPinned || undefined}
          onClick={() => onPin(isPinned ? undefined : tile.key)}
        >
          <Pin size={16} />
        </ActionIcon>
      </Tooltip>
    </li>
  );
};
