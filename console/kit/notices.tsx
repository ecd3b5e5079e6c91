import { Button, CloseButton, Text } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import { useEffect, useState, useSyncExternalStore } from "react";
import { t } from "../texts/index.ts";
import css from "./notices.module.css";
import { said } from "./said.tsx";
import { createStore } from "./store.ts";

interface Notice {
  readonly text: string;
  readonly kind?: "done" | "failed";
  /** Undoes the change that the notice is about. */
  readonly undo?: () => unknown;
}
interface Shown extends Notice {
  readonly key: number;
}

const store = createStore<{ readonly shown: readonly Shown[] }>({ shown: [] });
let lastKey = 0;
const dismiss = (key: number): void =>
  store.set({ shown: store.get().shown.filter((notice) => notice.key !== key) });

const MOST = 3;

/** A short text about a result or a failure. */
export const notify = (notice: Notice): void => {
  lastKey += 1;
  store.set({ shown: [...store.get().shown, { ...notice, key: lastKey }].slice(-MOST) });
};

export const dismissAll = (): void => store.set({ shown: [] });

/** Long enough to read it, and to reach Undo by keyboard. */
const lifeOf = ({ undo, kind }: Notice): number =>
  undo ? 15_000 : kind === "failed" ? 12_000 : 6_000;

const NoticeCard = ({ notice }: { readonly notice: Shown }) => {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => dismiss(notice.key), lifeOf(notice));
    return () => clearTimeout(timer);
  }, [held, notice]);
  const failed = notice.kind === "failed";
  const Icon = failed ? IconAlertTriangle : IconCircleCheck;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only pauses its timer while it is being read
    <div
      className={css.notice}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon size={20} className={failed ? css.bad : css.ok} aria-hidden />
      <Text size="sm" className={css.text ?? ""}>
        {said(notice.text)}
      </Text>
      {notice.undo && (
        <Button
          size="compact-sm"
          variant="light"
          onClick={() => {
            dismiss(notice.key);
            void notice.undo?.();
          }}
        >
          {t.actions.undo}
        </Button>
      )}
      <CloseButton size="sm" aria-label={t.actions.dismiss} onClick={() => dismiss(notice.key)} />
    </div>
  );
};

/** The place of notices; a live region, so that screen readers read them. */
export const Notices = () => {
  const { shown } = useSyncExternalStore(store.subscribe, store.get);
  return (
    <div className={css.region} role="status" aria-live="polite">
      {shown.map((notice) => (
        <NoticeCard key={notice.key} notice={notice} />
      ))}
    </div>
  );
};
