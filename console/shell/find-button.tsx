import { UnstyledButton } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { createStore } from "../kit/store.ts";
import { t } from "../texts/index.ts";
import css from "./palette.module.css";

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
/** The palette's key on this keyboard. */
export const paletteKey = isMac ? "⌘ K" : `${t.palette.keys.control} K`;

type Opened = "palette" | "keys";
/** The part of the console that a key has opened. */
export const opening = createStore<{ readonly opened: Opened | undefined }>({ opened: undefined });

/** The element that had the focus before the palette was opened. */
let focused: Element | null = null;

/** Opens the palette or the list of keys. */
export const openFinder = (opened: Opened): void => {
  focused = document.activeElement;
  opening.set({ opened });
};

/** Closes it; the focus returns to where it was. */
export const close = (): void => {
  opening.set({ opened: undefined });
  if (focused instanceof HTMLElement && focused.isConnected) focused.focus();
};

/** The button that opens the palette. */
export const FindButton = () => (
  <UnstyledButton className={css.find ?? ""} onClick={() => openFinder("palette")}>
    <IconSearch size={16} aria-hidden />
    {t.palette.open}
    <kbd aria-hidden>{paletteKey}</kbd>
  </UnstyledButton>
);
