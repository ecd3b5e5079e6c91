import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { type ReactNode, useId, useState } from "react";
import { language, t } from "../texts/index.ts";
import { Dialog } from "./dialog.tsx";
import { FailureNote } from "./failure-note.tsx";
import { useClosing } from "./use-closing.ts";

interface ConfirmProps {
  readonly title: string;
  readonly children: ReactNode;
  readonly confirm: string;
  readonly danger?: boolean;
  /** A word to type before the button works. */
  readonly word?: string;
  /** False while something that the question needs is still loading. */
  readonly isComplete?: boolean;
  /** The text above the buttons after a failure; default: the text of the failure. */
  readonly explain?: (failure: unknown) => ReactNode;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks before an important change; after a failure it stays open and shows the reason. */
export const Confirm = ({
  title,
  children,
  confirm,
  danger = false,
  word,
  isComplete = true,
  explain,
  onConfirm,
  onClose,
}: ConfirmProps) => {
  const [typed, setTyped] = useState("");
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const form = useId();
  const ready =
    isComplete && (word === undefined || typed.trim().toLocaleLowerCase(language) === word);

  const change = (): Promise<unknown> => {
    setBusy(true);
    setFailure(undefined);
    return onConfirm();
  };
  const onFailure = (failed: unknown): void => {
    setFailure(failed);
    setBusy(false);
  };
  const { run, close } = useClosing(change, { onClose, onFailure });

  return (
    <Dialog title={title} onClose={close}>
      <form
        id={form}
        onSubmit={(event) => {
          event.preventDefault();
          // A dialog over a form: its button is not that of the form.
          event.stopPropagation();
          if (ready) void run();
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
          <FailureNote failure={failure} explain={explain} />
          <Group justify="flex-end" gap="sm">
            <Button
              variant="default"
              onClick={close}
              // An accidental second Enter must not delete anything.
              {...(danger && word === undefined ? { "data-autofocus": true } : {})}
            >
              {t.actions.cancel}
            </Button>
            <Button
              type="submit"
              {...(danger ? { color: "red.9" } : {})}
              loading={busy}
              disabled={!ready}
              {...(!danger && word === undefined ? { "data-autofocus": true } : {})}
            >
              {confirm}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
};
