import { Alert, Button, Group, NativeSelect, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { parley, sayFailure } from "../data/client.ts";
import { useChange } from "../data/use-change.ts";
import { useOnce } from "../data/use-once.ts";
import { Dialog } from "../parts/dialog.tsx";
import { MomentField } from "../parts/moment-field.tsx";
import { notify } from "../parts/notices.tsx";
import { t } from "../texts/index.ts";

const texts = t.webhooks.deliveries;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** Sends the deliveries of a span of time again. */
export const ReplayDialog = ({
  webhookId,
  onClose,
}: {
  readonly webhookId: string;
  readonly onClose: () => void;
}) => {
  // The fields have minutes: the span includes the whole current minute.
  const [span, setSpan] = useState(() => ({
    from: new Date(Date.now() - DAY_MS).toISOString() as string | null,
    to: new Date(Date.now() + MINUTE_MS).toISOString() as string | null,
    onlyFailed: true,
  }));
  const replay = useChange(parley.replayDeliveries);
  const { from, to, onlyFailed } = span;
  const run = useOnce(async () => {
    if (from === null || to === null) return;
    try {
      const { replayed } = await replay.mutateAsync({ webhookId, from, to, onlyFailed });
      notify({ text: texts.spanReplayed(replayed) });
      onClose();
    } catch {
      // The failure is shown below.
    }
  });
  return (
    <Dialog title={texts.replaySpanTitle} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <Stack gap="md">
          <Text size="sm">{texts.replaySpanHelp}</Text>
          <MomentField
            label={texts.from}
            value={from}
            onChange={(from) => setSpan({ ...span, from })}
            data-autofocus
          />
          <MomentField label={texts.to} value={to} onChange={(to) => setSpan({ ...span, to })} />
          <NativeSelect
            label={texts.which}
            value={onlyFailed ? "failed" : "all"}
            onChange={({ currentTarget }) =>
              setSpan({ ...span, onlyFailed: currentTarget.value === "failed" })
            }
            data={[
              { value: "failed", label: texts.onlyFailed },
              { value: "all", label: texts.allEnded },
            ]}
          />
          {replay.isError && (
            <Alert color="red" variant="light" role="alert">
              {sayFailure(replay.error)}
            </Alert>
          )}
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              {t.actions.cancel}
            </Button>
            <Button
              type="submit"
              loading={replay.isPending}
              disabled={from === null || to === null}
            >
              {texts.replay}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
};
