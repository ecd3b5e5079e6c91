import { Button, Code, Group, Stack, Title } from "@mantine/core";
import { sayEvent } from "../columns/say-event.ts";
import type { Delivery } from "../data/webhooks.ts";
import { parley } from "../kit/client.ts";
import { CopyIcon } from "../kit/copy.tsx";
import { Dialog } from "../kit/dialog.tsx";
import facts from "../kit/facts.module.css";
import { FailureNote } from "../kit/failure-note.tsx";
import { notify } from "../kit/notices.tsx";
import { lastErrorText } from "../kit/reasons.ts";
import { showMoment } from "../kit/show.ts";
import { useChange } from "../kit/use-change.ts";
import { t } from "../texts/index.ts";
import css from "./webhooks.module.css";

const texts = t.webhooks.deliveries;

/** JSON with one line per value; anything else unchanged. */
const laidOut = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
};

const Answer = ({ answer }: Pick<Delivery, "answer">) =>
  answer === null ? (
    <p className={`dimmed small ${css.said}`}>{texts.noAnswer}</p>
  ) : (
    <>
      <p className={`small ${css.said}`}>{texts.status(answer.status)}</p>
      {answer.body === "" ? (
        <p className={`dimmed small ${css.said}`}>{texts.emptyAnswer}</p>
      ) : (
        <Code block tabIndex={0} className={css.body ?? ""}>
          {laidOut(answer.body)}
        </Code>
      )}
    </>
  );

interface DeliveryDialogProps {
  readonly delivery: Delivery;
  /** True if its webhook is on: otherwise the delivery cannot be sent again. */
  readonly isOn: boolean;
  readonly onClose: () => void;
}

/** One delivery: its request and its answer. */
export const DeliveryDialog = ({ delivery, isOn, onClose }: DeliveryDialogProps) => {
  const { id, event, state, request, answer, attempts, milliseconds } = delivery;
  const lastError = lastErrorText(delivery);
  const waits = state === "waiting";
  const replay = useChange(parley.replayDelivery);
  const again = (): void =>
    replay.mutate(
      { id },
      {
        onSuccess: () => {
          notify({ text: waits ? texts.sentNow : texts.replayed });
          onClose();
        },
      },
    );
  return (
    <Dialog title={sayEvent(event)} onClose={onClose} size="xl">
      <Stack gap="sm">
        <dl className={facts.facts}>
          <dt>{texts.id}</dt>
          <dd>
            <span className={facts.pair}>
              <span className="mono">{id}</span>
              <CopyIcon text={id} what={texts.id} />
            </span>
          </dd>
          <dt>{texts.state}</dt>
          <dd>{texts.states[state]}</dd>
          <dt>{texts.created}</dt>
          <dd>{showMoment(delivery.createdAt)}</dd>
          {delivery.endedAt !== null && (
            <>
              <dt>{texts.ended}</dt>
              <dd>{showMoment(delivery.endedAt)}</dd>
            </>
          )}
          <dt>{texts.tries}</dt>
          <dd>
            {attempts}
            {milliseconds !== null && `, ${texts.took(milliseconds)}`}
          </dd>
          {lastError !== null && (
            <>
              <dt>{texts.lastError}</dt>
              <dd>
                <bdi>{lastError}</bdi>
              </dd>
            </>
          )}
        </dl>
        <Title order={3} size="h6">
          {texts.request}
        </Title>
        {request === null ? (
          <p className={`dimmed small ${css.said}`}>{texts.erased}</p>
        ) : (
          <Code block tabIndex={0} className={css.body ?? ""}>
            {laidOut(request)}
          </Code>
        )}
        <Title order={3} size="h6">
          {texts.answer}
        </Title>
        <Answer answer={answer} />
        <FailureNote failure={replay.error} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t.actions.close}
          </Button>
          {isOn && request !== null && (
            <Button loading={replay.isPending} onClick={again}>
              {waits ? texts.sendNow : texts.replay}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
};
