import { CloseButton, Title } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import { meeting } from "../connection.ts";
import css from "../styles/panel.module.css";

interface PanelProps {
  readonly title: string;
  readonly close: string;
  readonly children: ReactNode;
}

/** Beside the stage; over it where the window is narrow. Escape closes it. */
export const PanelFrame = ({ title, close, children }: PanelProps) => {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    (panel.current?.querySelector("textarea") ?? panel.current)?.focus();
    return () => {
      // A click on something else has taken it there.
      if (document.activeElement !== document.body) return;
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  return (
    <aside
      ref={panel}
      className={css.panel}
      aria-label={title}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === "Escape" && !event.defaultPrevented) meeting.show("none");
      }}
    >
      <div className={css.head}>
        <Title order={2} size="h5">
          {title}
        </Title>
        <CloseButton aria-label={close} onClick={() => meeting.show("none")} />
      </div>
      {children}
    </aside>
  );
};
