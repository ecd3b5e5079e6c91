import { Alert, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { type ReactNode, useId, useState } from "react";
import { sayFailure } from "../data/client.ts";
import { t } from "../texts/index.ts";
import { Dialog } from "./dialog.tsx";

interface ConfirmProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly confirm: string;
  readonly danger?: boolean;
  /** A word to type before the button works. */
  readonly word?: string;
  /** What is shown above the buttons when it failed; default: the failure's own text. */
  readonly explain?: (failure: unknown) => ReactNode;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks before something that matters; stays open, and says why, when it could not be done. */
export const Confirm = ({
  title,
  children,
  confirm,
  danger = false,
  word,
  explain = sayFailure,
  onConfirm,
  onClose,
}: ConfirmProps) => {
  const [typed, setTyped] = useState("");
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const form = useId();
  const ready = word === undefined || typed.trim().toLowerCase() === word;

  const run = async (): Promise<void> => {
    if (!ready || busy) return;
    setBusy(true);
    setFailure(undefined);
    try {
      await onConfirm();
      onClose();
    } catch (failed) {
      setFailure(failed);
      setBusy(false);
    }
  };

  return (
    <Dialog title={title} onClose={onClose}>
      <form
        id={form}
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <Stack gap="md">
          <Text component="div" size="sm">
            {children}
          </Text>
          {word !== undefined && (
            <TextInput
              label={t.form.typeToConfirm(word)}
              value={typed}
              onChange={(event) => setTyped(event.currentTarget.value)}
              autoComplete="off"
              data-autofocus
            />
          )}
          {failure !== undefined && (
            <Alert color="red" variant="light" role="alert">
              {explain(failure)}
            </Alert>
          )}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              {t.actions.cancel}
            </Button>
            <Button
              type="submit"
              {...(danger ? { color: "red.9" } : {})}
              loading={busy}
              disabled={!ready}
              {...(word === undefined ? { "data-autofocus": true } : {})}
            >
              {confirm}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
};
