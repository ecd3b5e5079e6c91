import { Button, Group, NativeSelect, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { parley, sayFailure } from "../kit/client.ts";
import { Dialog } from "../kit/dialog.tsx";
import { FailureNote } from "../kit/failure-note.tsx";
import { errorAt } from "../kit/form.ts";
import { MomentField } from "../kit/moments.tsx";
import { notify } from "../kit/notices.tsx";
import { useChange } from "../kit/use-change.ts";
import { useClosing } from "../kit/use-closing.ts";
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
  const wanted = from !== null && to !== null && { webhookId, from, to, onlyFailed };
  const send = async (): Promise<void> => {
    if (!wanted) return;
    const { replayed } = await replay.mutateAsync(wanted);
    notify({ text: texts.spanReplayed(replayed) });
  };
  const { run, close } = useClosing(send, { onClose });
  return (
    <Dialog title={texts.replaySpanTitle} onClose={close}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (wanted) void run();
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
          <FailureNote
            failure={replay.error}
            explain={(failed) =>
              errorAt(failed, "from", texts.from) ? texts.reversed : sayFailure(failed)
            }
          />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={close}>
              {t.actions.cancel}
            </Button>
            <Button type="submit" loading={replay.isPending} disabled={!wanted}>
              {texts.replay}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
};
