import { Button, Group, Stack, Text } from "@mantine/core";
import { useSyncExternalStore } from "react";
import { t } from "../texts/index.ts";
import { tryCopy } from "./copy.tsx";
import { Dialog } from "./dialog.tsx";
import { Secret } from "./secret.tsx";

let shown: string | undefined;
const listeners = new Set<() => void>();
const show = (url: string | undefined): void => {
  shown = url;
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Copies a link that no page shows; if the browser refuses, a dialog shows it. */
export const copyUrl = async (url: string): Promise<boolean> => {
  const copied = await tryCopy(url);
  if (!copied) show(url);
  return copied;
};

/** Where a link appears that could not be copied. */
export const LinkByHand = () => {
  const url = useSyncExternalStore(subscribe, () => shown);
  if (url === undefined) return null;
  const close = () => show(undefined);
  return (
    <Dialog title={t.meetings.link} onClose={close} size="lg">
      <Stack gap="md">
        <Text size="sm">{t.states.copyFailed}</Text>
        <Secret label={t.meetings.link} value={url} />
        <Group justify="flex-end">
          <Button onClick={close} data-autofocus>
            {t.actions.done}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
};
