import { useElementSize } from "@mantine/hooks";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { useState } from "react";
import { said } from "../../kit/said.tsx";
import { PageStep } from "../../kit/step.tsx";
import { m } from "../../texts/meet.ts";
import { fitTiles, ratioIn } from "../call/fit.ts";
import type { Tile } from "../call/tiles.ts";
import css from "../styles/stage.module.css";
import { TileView } from "./tile-view.tsx";

interface GridProps {
  readonly tiles: readonly Tile[];
  readonly speaking: ReadonlySet<string>;
  readonly pinned: string | undefined;
  readonly onPin: (key: string | undefined) => void;
  readonly narrowest: number;
  readonly label: string;
}

const GAP = 8;

/** Tiles as large as possible, on several pages if they do not all fit. */
export const Grid = ({ tiles, speaking, pinned, onPin, narrowest, label }: GridProps) => {
  const { ref, width, height } = useElementSize<HTMLDivElement>();
  const [wanted, setPage] = useState(0);
  const fit = fitTiles(tiles.length, {
    width,
    height,
    gap: GAP,
    ratio: ratioIn({ width, height }),
    narrowest,
  });
  const pages = Math.max(1, Math.ceil(tiles.length / fit.perPage));
  const page = Math.min(wanted, pages - 1);
  const shown = tiles.slice(page * fit.perPage, (page + 1) * fit.perPage);
  const hidden = tiles.find((tile) => speaking.has(tile.peerId) && !shown.includes(tile));
  return (
    <div className={css.pages}>
      {pages > 1 && (
        <PageStep
          className={css.previous}
          variant="default"
          label={m.stage.previousPage}
          icon={IconChevronLeft}
          off={page === 0}
          onStep={() => setPage(page - 1)}
        />
      )}
      <div ref={ref} className={css.space}>
        {width > 0 && (
          <ul className={css.tiles} aria-label={label}>
            {shown.map((tile) => (
              <TileView
                key={tile.key}
                tile={tile}
                size={fit}
                isSpeaking={tile.kind === "person" && speaking.has(tile.peerId)}
                isPinned={tile.key === pinned}
                onPin={onPin}
              />
            ))}
          </ul>
        )}
      </div>
      {pages > 1 && (
        <>
          <PageStep
            className={css.next}
            variant="default"
            label={m.stage.nextPage}
            icon={IconChevronRight}
            off={page === pages - 1}
            onStep={() => setPage(page + 1)}
          />
          <p className={css.page}>
            {/* Without the speaker: it would be read out while they speak. */}
            <span role="status">{m.stage.page(page + 1, pages)}</span>
            {hidden && <> · {said(m.stage.speaks(hidden.name))}</>}
          </p>
        </>
      )}
    </div>
  );
};
