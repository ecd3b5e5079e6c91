import { useHotkeys } from "@mantine/hooks";
import { Fragment, lazy, Suspense, useSyncExternalStore } from "react";
import { Dialog } from "../kit/dialog.tsx";
import { t } from "../texts/index.ts";
import { close, openFinder, opening, paletteKey } from "./find-button.tsx";
import css from "./palette.module.css";

const texts = t.palette;
/** A separate file, loaded when it is first opened. */
const Palette = lazy(async () => ({ default: (await import("./palette.tsx")).Palette }));

/** Returns whether a dialog is open: keys then have no effect behind it. */
const isCovered = (): boolean => document.querySelector('[aria-modal="true"]') !== null;

const focusSearch = (): void =>
  document.querySelector<HTMLInputElement>('#content input[type="search"]')?.focus();

const keys: readonly (readonly [string, string])[] = [
  [paletteKey, texts.keys.palette],
  ["/", texts.keys.search],
  ["?", texts.keys.help],
  ["Esc", texts.keys.close],
];

const KeysDialog = ({ onClose }: { readonly onClose: () => void }) => (
  <Dialog title={texts.keys.title} onClose={onClose}>
    <dl className={css.keys}>
      {keys.map(([key, what]) => (
        <Fragment key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{what}</dd>
        </Fragment>
      ))}
    </dl>
    <p className="dimmed small">{texts.keys.fields}</p>
  </Dialog>
);

const unlessCovered = (what: () => void) => () => {
  if (!isCovered()) what();
};
const showKeys = unlessCovered(() => openFinder("keys"));
const search = unlessCovered(focusSearch);

/** The console's keys, which a field keeps for itself during typing, and what they open. */
export const Keys = () => {
  const { opened } = useSyncExternalStore(opening.subscribe, opening.get);
  useHotkeys([
    ["mod+K", unlessCovered(() => openFinder("palette"))],
    ["/", search],
    ["?", showKeys],
    // Where a sign needs Shift.
    ["shift+/", search],
    ["shift+?", showKeys],
  ]);
  if (opened === "keys") return <KeysDialog onClose={() => opening.set({ opened: undefined })} />;
  if (opened !== "palette") return null;
  return (
    <Suspense>
      <Palette onClose={close} />
    </Suspense>
  );
};
