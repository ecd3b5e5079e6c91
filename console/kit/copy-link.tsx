import { useSyncExternalStore } from "react";
import { t } from "../texts/index.ts";
import { tryCopy } from "./copy.tsx";
import { SecretDialog } from "./secrets.tsx";
import { createStore } from "./store.ts";

const store = createStore<{ readonly url: string | undefined }>({ url: undefined });

/** Copies a link that no page shows; if the browser refuses, a dialog shows it. */
export const copyUrl = async (url: string): Promise<boolean> => {
  const copied = await tryCopy(url);
  if (!copied) store.set({ url });
  return copied;
};

/** Shows a link that could not be copied. */
export const LinkByHand = () => {
  const { url } = useSyncExternalStore(store.subscribe, store.get);
  if (url === undefined) return null;
  return (
    <SecretDialog
      title={t.meetings.link}
      help={t.states.copyFailed}
      secrets={[{ label: t.meetings.link, value: url }]}
      onClose={() => store.set({ url: undefined })}
    />
  );
};
