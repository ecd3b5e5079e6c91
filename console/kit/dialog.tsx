import { Modal } from "@mantine/core";
import { type ReactNode, useId, useLayoutEffect, useRef, useSyncExternalStore } from "react";
import { t } from "../texts/index.ts";
import { said } from "./said.tsx";
import { createStore } from "./store.ts";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly size?: string;
  /**
   * For content that only its buttons may close, such as a password that is shown once; "outside":
   * for a form that a stray click beside it must not close.
   */
  readonly firm?: boolean | "outside";
}

/** The IDs of the open dialogs, the last one above the others: Escape closes no other one. */
const open = createStore<{ readonly ids: readonly string[] }>({ ids: [] });

let lastFocused: HTMLElement | null = null;
document.addEventListener("focusin", ({ target }) => {
  if (target instanceof HTMLElement && !target.closest('[role="menu"], [role="dialog"]')) {
    lastFocused = target;
  }
});

/**
 * The element that opened a dialog: the last one outside menus and dialogs that had the focus, or the button
 * of a menu, because the menu's entry disappears before the dialog opens.
 */
const openerNow = (): HTMLElement | null => {
  const menu = document.activeElement?.closest('[role="menu"]')?.getAttribute("aria-labelledby");
  return menu ? document.getElementById(menu) : lastFocused;
};

const heading = (): void => document.querySelector<HTMLElement>("h1")?.focus();

/** When to check whether a list was drawn again without the deleted row, in milliseconds. */
const WATCHED = [200, 600, 1_500, 4_000];

const giveBack = (element: HTMLElement | null): void => {
  // Another dialog has taken the place of the closed one, and has the focus.
  if (document.querySelector('[role="dialog"][aria-modal="true"]') !== null) return;
  if (!element?.isConnected || !element.checkVisibility()) {
    heading();
    return;
  }
  element.focus();
  // If the opener disappears with the deleted row, the page's heading takes the focus.
  for (const later of WATCHED) {
    setTimeout(() => {
      if (!element.isConnected && document.activeElement === document.body) heading();
    }, later);
  }
};

/** A dialog; when it closes, the focus returns to the element that opened it. */
export const Dialog = ({ title, onClose, children, size = "md", firm = false }: DialogProps) => {
  const opener = useRef<HTMLElement | null>(null);
  const id = useId();
  const { ids } = useSyncExternalStore(open.subscribe, open.get);
  useLayoutEffect(() => {
    open.set({ ids: [...open.get().ids, id] });
    return () => open.set({ ids: open.get().ids.filter((one) => one !== id) });
  }, [id]);
  useLayoutEffect(() => {
    opener.current ??= openerNow();
    return () => {
      const element = opener.current;
      // After the code that closes the dialog has run, and its list is drawn again.
      setTimeout(() => giveBack(element), 30);
    };
  }, []);
  return (
    <Modal
      opened
      onClose={onClose}
      title={said(title)}
      size={size}
      returnFocus={false}
      closeOnClickOutside={!firm}
      closeOnEscape={firm !== true && ids.at(-1) === id}
      withCloseButton={firm !== true}
      closeButtonProps={{ "aria-label": t.actions.close }}
      // A <header> element is for the top of a page, which has one already.
      attributes={{ header: { role: "none" } }}
    >
      {children}
    </Modal>
  );
};
