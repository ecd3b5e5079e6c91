import { ActionIcon, Tooltip } from "@mantine/core";
import { IconMaximize, IconMinimize } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { m } from "../../texts/meet.ts";
import css from "../styles/tile.module.css";

/** Shows the tile in which it is on the full screen, and ends that. Phones that cannot do it have no button. */
export const FullScreenButton = ({ title }: { readonly title: string }) => {
  const button = useRef<HTMLButtonElement>(null);
  const [isFull, setFull] = useState(false);
  useEffect(() => {
    const look = (): void => setFull(document.fullscreenElement?.contains(button.current) === true);
    document.addEventListener("fullscreenchange", look);
    return () => document.removeEventListener("fullscreenchange", look);
  }, []);
  if (!document.fullscreenEnabled) return null;
  const label = isFull ? m.controls.leaveFullScreen : m.controls.fullScreen(title);
  const Icon = isFull ? IconMinimize : IconMaximize;
  const toggle = (): void => {
    const done = isFull
      ? document.exitFullscreen()
      : button.current?.closest("li")?.requestFullscreen();
    // A browser may refuse it, as inside a frame.
    done?.catch(() => {});
  };
  return (
    <Tooltip label={label}>
      <ActionIcon
        ref={button}
        className={`${css.pin} ${css.full}`}
        variant="filled"
        color="dark"
        aria-label={label}
        data-pinned={isFull || undefined}
        onClick={toggle}
      >
        <Icon size={16} />
      </ActionIcon>
    </Tooltip>
  );
};
