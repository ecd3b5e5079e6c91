import { Button, Group, Text } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useBlocker } from "react-router";
import { t } from "../texts/index.ts";
import { Dialog } from "./dialog.tsx";

/**
 * Asks before a page with unsaved changes is left.
 *
 * @returns the question, to be rendered, and `release`, to be called before leaving on purpose
 */
export const useLeaveGuard = (dirty: boolean) => {
  const guarded = useRef(dirty);
  const released = useRef(false);
  guarded.current = dirty;
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      guarded.current && !released.current && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (!dirty) return;
    const ask = (event: BeforeUnloadEvent) => {
      if (!released.current) event.preventDefault();
    };
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [dirty]);

  const question = blocker.state === "blocked" && (
    <Dialog title={t.form.leaveTitle} onClose={() => blocker.reset()}>
      <Text size="sm">{t.form.leaveHelp}</Text>
      <Group justify="flex-end" mt="md" gap="sm">
        <Button variant="default" onClick={() => blocker.proceed()}>
          {t.form.leave}
        </Button>
        <Button onClick={() => blocker.reset()} data-autofocus>
          {t.form.stay}
        </Button>
      </Group>
    </Dialog>
  );
  return {
    question,
    release: () => {
      released.current = true;
    },
  };
};
