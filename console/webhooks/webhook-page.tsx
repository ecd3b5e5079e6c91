import { Alert, Button, Menu, Skeleton } from "@mantine/core";
import {
  IconKey,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconSend,
  IconTrash,
} from "@tabler/icons-react";
import { Link, useNavigate, useParams } from "react-router";
import { sayEventCount } from "../columns/say-event.ts";
import { addressOfWebhook, WebhookState } from "../columns/state-tags.tsx";
import { useWebhooks, type Webhook } from "../data/webhooks.ts";
import facts from "../kit/facts.module.css";
import { NotFound } from "../kit/not-found.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { RowMenu } from "../kit/row-menu.tsx";
import { around } from "../kit/said.tsx";
import { showMoment } from "../kit/show.ts";
import { Failed } from "../kit/states.tsx";
import { t } from "../texts/index.ts";
import { Deliveries } from "./deliveries.tsx";
import { useWebhookActions, type WebhookActions } from "./webhook-actions.tsx";
import css from "./webhooks.module.css";

const texts = t.webhooks;

const Facts = ({ webhook }: { readonly webhook: Webhook }) => {
  const { description, events, waiting, failingSince, formerSecretUntil, createdAt } = webhook;
  return (
    <div className={facts.line}>
      <WebhookState webhook={webhook} />
      {description && (
        <span className={css.description}>
          <bdi>{description}</bdi>
        </span>
      )}
      <span>{t.rooms.setTo(texts.labels.events, sayEventCount(events.length))}</span>
      {waiting > 0 && <span>{texts.waitingCount(waiting)}</span>}
      {webhook.state === "on" && failingSince !== null && (
        <span>{texts.failingSince(showMoment(failingSince))}</span>
      )}
      {formerSecretUntil !== null && (
        <span>{texts.formerUntil(showMoment(formerSecretUntil))}</span>
      )}
      <span>
        {around(
          (moment) => t.rooms.setTo(texts.created, moment),
          <time dateTime={createdAt}>{showMoment(createdAt)}</time>,
        )}
      </span>
    </div>
  );
};

interface WithActions {
  readonly webhook: Webhook;
  readonly actions: WebhookActions;
}

const Buttons = ({ webhook, actions }: WithActions) => (
  <>
    <Button
      variant="default"
      leftSection={<IconPencil size={16} />}
      component={Link}
      to={`${addressOfWebhook(webhook.id)}/edit`}
    >
      {texts.edit}
    </Button>
    {webhook.state === "on" && (
      <Button leftSection={<IconSend size={16} />} loading={actions.busy} onClick={actions.test}>
        {texts.test}
      </Button>
    )}
    <RowMenu name={webhook.url}>
      <Menu.Item leftSection={<IconKey size={16} />} onClick={actions.rotate}>
        {texts.rotate}
      </Menu.Item>
      {webhook.state === "on" && (
        <Menu.Item leftSection={<IconPlayerPause size={16} />} onClick={() => actions.turn(false)}>
          {texts.switchOff}
        </Menu.Item>
      )}
      <Menu.Divider />
      <Menu.Item data-danger leftSection={<IconTrash size={16} />} onClick={actions.remove}>
        {texts.remove}
      </Menu.Item>
    </RowMenu>
  </>
);

/** Why nothing is sent, and the button that changes this. */
const IsOff = ({ webhook, actions }: WithActions) => {
  const { state, failingSince } = webhook;
  const hasFailed = state === "failed";
  return (
    <Alert
      color={hasFailed ? "red" : "gray"}
      variant="light"
      title={hasFailed ? texts.failedTitle : texts.offTitle}
    >
      <p className={css.why}>
        {hasFailed && failingSince !== null
          ? texts.failedHelp(showMoment(failingSince))
          : texts.offHelp}
      </p>
      <Button
        variant="default"
        leftSection={<IconPlayerPlay size={16} />}
        loading={actions.busy}
        onClick={() => actions.turn(true)}
      >
        {texts.switchOn}
      </Button>
    </Alert>
  );
};

const Shown = ({ webhook }: { readonly webhook: Webhook }) => {
  const navigate = useNavigate();
  const actions = useWebhookActions(webhook, () => void navigate("/webhooks"));
  return (
    <>
      <PageHeader
        title={webhook.url}
        description={<Facts webhook={webhook} />}
        actions={<Buttons webhook={webhook} actions={actions} />}
      />
      <div className="cards">
        {webhook.state !== "on" && <IsOff webhook={webhook} actions={actions} />}
        <Deliveries webhook={webhook} />
      </div>
      {actions.dialogs}
    </>
  );
};

/** One webhook: its state, its actions, and its deliveries. */
export const WebhookPage = () => {
  const { id } = useParams();
  const { data, error, refetch } = useWebhooks();
  const webhook = data?.find((one) => one.id === id);
  if (webhook) return <Shown key={webhook.id} webhook={webhook} />;
  if (data) return <NotFound />;
  return (
    <>
      <PageHeader title={texts.title} />
      {error ? (
        <div className="card">
          <Failed failure={error} retry={() => void refetch()} />
        </div>
      ) : (
        <Skeleton height={420} radius="md" />
      )}
    </>
  );
};
