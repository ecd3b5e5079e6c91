import { Button, NativeSelect, Title } from "@mantine/core";
import { IconRefresh, IconSend } from "@tabler/icons-react";
import { useState } from "react";
import { type DeliveryEvent, deliveryEvents } from "../../contract/webhooks/events.ts";
import { deliveryStates } from "../../contract/webhooks/webhooks.ts";
import { sayEvent } from "../columns/say-event.ts";
import { type Delivery, useDeliveries, type Webhook } from "../data/webhooks.ts";
import { type Column, DataTable } from "../kit/data-table.tsx";
import { Pager } from "../kit/pager.tsx";
import { lastErrorText } from "../kit/reasons.ts";
import { showMoment } from "../kit/show.ts";
import { Blank, Failed, NoMatch } from "../kit/states.tsx";
import { useTableState } from "../kit/table-state.ts";
import { Tag, type Tone } from "../kit/tag.tsx";
import { Toolbar } from "../kit/toolbar.tsx";
import { t } from "../texts/index.ts";
import { DeliveryDialog } from "./delivery-dialog.tsx";
import { ReplayDialog } from "./replay-dialog.tsx";
import css from "./webhooks.module.css";

const texts = t.webhooks.deliveries;
const NO_SORT = ["created"] as const;
const tones: Record<Delivery["state"], Tone> = { waiting: "warn", delivered: "ok", failed: "bad" };

const columns = (
  isOn: boolean,
  open: (delivery: Delivery) => void,
): readonly Column<Delivery>[] => [
  {
    key: "event",
    label: texts.event,
    heading: true,
    render: ({ event, subject }) => (
      <>
        <span className={css.event}>{sayEvent(event)}</span>
        {event !== "test" && <span className={`dimmed small ${css.under}`}>{subject}</span>}
      </>
    ),
  },
  {
    key: "state",
    label: texts.state,
    render: ({ state, dueAt, attempts }) => (
      <>
        <Tag tone={tones[state]}>{texts.states[state]}</Tag>
        {isOn && dueAt !== null && attempts > 0 && (
          <span className={`dimmed small ${css.under}`}>{texts.due(showMoment(dueAt))}</span>
        )}
      </>
    ),
  },
  {
    key: "answer",
    label: texts.answer,
    render: (delivery) => (
      <span className={css.error}>
        {delivery.answer === null ? (
          <bdi>{lastErrorText(delivery) ?? t.time.never}</bdi>
        ) : (
          texts.status(delivery.answer.status)
        )}
      </span>
    ),
  },
  { key: "attempts", label: texts.tries, minor: true, render: ({ attempts }) => attempts },
  {
    key: "createdAt",
    label: texts.created,
    render: ({ createdAt }) => <time dateTime={createdAt}>{showMoment(createdAt)}</time>,
  },
  {
    key: "open",
    label: "",
    render: (delivery) => (
      <Button
        size="compact-sm"
        variant="default"
        aria-label={texts.open(sayEvent(delivery.event), showMoment(delivery.createdAt))}
        onClick={() => open(delivery)}
      >
        {texts.details}
      </Button>
    ),
  },
];

const eventChoices = [
  { value: "", label: texts.allEvents },
  ...deliveryEvents.map((event: DeliveryEvent) => ({
    value: event,
    label: sayEvent(event),
  })),
];

/** The deliveries of a webhook, newest first. */
export const Deliveries = ({ webhook }: { readonly webhook: Webhook }) => {
  const { state, change, params } = useTableState(NO_SORT);
  const only = deliveryStates.find((one) => one === params.get("state"));
  const event = deliveryEvents.find((one) => one === params.get("event"));
  const [opened, setOpened] = useState<Delivery>();
  const [replaying, setReplaying] = useState(false);
  const { data, error, refetch, isPlaceholderData } = useDeliveries({
    page: state.page,
    limit: state.limit,
    webhookId: webhook.id,
    ...(only && { state: only }),
    ...(event && { event }),
  });
  const shown = data?.deliveries;
  // The list reloads every few seconds: an open delivery may have left its page.
  const current = shown?.find(({ id }) => id === opened?.id);
  if (current !== undefined && current !== opened) setOpened(current);
  const isOn = webhook.state === "on";
  return (
    <section className="card" aria-labelledby="deliveries">
      <div className={css.head}>
        <Title order={2} size="h5" id="deliveries">
          {texts.title}
        </Title>
        {isOn && (
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} />}
            onClick={() => setReplaying(true)}
          >
            {texts.replaySpan}
          </Button>
        )}
      </div>
      <Toolbar>
        <NativeSelect
          aria-label={texts.state}
          value={only ?? ""}
          onChange={({ currentTarget }) => change({ state: currentTarget.value })}
          data={[
            { value: "", label: texts.allStates },
            ...deliveryStates.map((one) => ({ value: one, label: texts.states[one] })),
          ]}
        />
        <NativeSelect
          aria-label={texts.event}
          value={event ?? ""}
          onChange={({ currentTarget }) => change({ event: currentTarget.value })}
          data={eventChoices}
        />
      </Toolbar>
      {error && !shown ? (
        <Failed failure={error} retry={() => void refetch()} />
      ) : shown?.length === 0 ? (
        only === undefined && event === undefined ? (
          <Blank icon={IconSend} title={texts.empty}>
            {texts.emptyHelp}
          </Blank>
        ) : (
          <NoMatch
            title={texts.noMatch}
            help={texts.noMatchHelp}
            clear={() => change({ state: "", event: "" })}
          />
        )
      ) : (
        <DataTable
          label={texts.title}
          columns={columns(isOn, setOpened)}
          rows={shown}
          idOf={({ id }) => id}
          nameOf={(delivery) => sayEvent(delivery.event)}
          stale={isPlaceholderData}
        />
      )}
      {data && data.pagination.total > 0 && (
        <Pager
          pagination={data.pagination}
          what={texts.what}
          onPage={(page) => change({ page })}
          onLimit={(limit) => change({ limit })}
        />
      )}
      {opened && (
        <DeliveryDialog delivery={opened} isOn={isOn} onClose={() => setOpened(undefined)} />
      )}
      {replaying && <ReplayDialog webhookId={webhook.id} onClose={() => setReplaying(false)} />}
    </section>
  );
};
