import { CloseButton, Title } from "@mantine/core";
import { type ReactNode, useLayoutEffect, useRef } from "react";
import { meeting } from "../connection.ts";
import css from "../styles/panel.module.css";

interface PanelProps {
  readonly title: string;
  readonly close: string;
  readonly children: ReactNode;
}

/** A panel beside the stage, or over it in a narrow window. Escape closes it. */
export const PanelFrame = ({ title, close, children }: PanelProps) => {
  const panel = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const { current: element } = panel;
    const opener = document.activeElement;
    (element?.querySelector("textarea") ?? element)?.focus();
    return () => {
      // A click on something else has taken it there.
      const { activeElement, body } = document;
      if (activeElement !== body && !element?.contains(activeElement)) return;
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <aside
      ref={panel}
      className={css.panel}
      aria-label={title}
      tabIndex={-1}
      onKeyDown={(event) => {
        // Not that of a menu that the panel has opened, nor that which ends a composition.
        const { currentTarget, target, nativeEvent } = event;
        if (!currentTarget.contains(target as Node) || nativeEvent.isComposing) return;
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
