import { Button } from "@mantine/core";
import { IconPlus, IconWebhook } from "@tabler/icons-react";
import { Link } from "react-router";
import { sayEventCount } from "../columns/say-event.ts";
import { addressOfWebhook, WebhookState } from "../columns/state-tags.tsx";
import { useWebhooks, type Webhook } from "../data/webhooks.ts";
import type { Column } from "../kit/data-table.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { showMoment } from "../kit/show.ts";
import { Blank } from "../kit/states.tsx";
import { WholeList } from "../kit/whole-list.tsx";
import { t } from "../texts/index.ts";
import css from "./webhooks.module.css";

const texts = t.webhooks;

const columns: readonly Column<Webhook>[] = [
  {
    key: "url",
    label: texts.address,
    heading: true,
    render: ({ id, url, description }) => (
      <>
        <Link to={addressOfWebhook(id)} className={css.address}>
          {url}
        </Link>
        {description && (
          <span className={`dimmed small ${css.under}`}>
            <bdi>{description}</bdi>
          </span>
        )}
      </>
    ),
  },
  {
    key: "events",
    label: texts.labels.events,
    render: ({ events }) => sayEventCount(events.length),
  },
  {
    key: "state",
    label: texts.state,
    render: (webhook) => (
      <>
        <WebhookState webhook={webhook} />
        {webhook.failingSince !== null && (
          <span className={`dimmed small ${css.under}`}>
            {texts.failingSince(showMoment(webhook.failingSince))}
          </span>
        )}
      </>
    ),
  },
  { key: "waiting", label: texts.waiting, minor: true, render: ({ waiting }) => waiting },
  {
    key: "createdAt",
    label: texts.created,
    minor: true,
    render: ({ createdAt }) => <time dateTime={createdAt}>{showMoment(createdAt)}</time>,
  },
];

/** Where the organization's events are sent. */
export const WebhooksPage = () => {
  const webhooks = useWebhooks();
  return (
    <>
      <PageHeader
        title={texts.title}
        description={texts.description}
        actions={
          <Button component={Link} to="/webhooks/new" leftSection={<IconPlus size={16} />}>
            {texts.create}
          </Button>
        }
      />
      <WholeList
        label={texts.title}
        columns={columns}
        list={webhooks}
        idOf={({ id }) => id}
        nameOf={({ url }) => url}
        blank={
          <Blank icon={IconWebhook} title={texts.empty}>
            {texts.emptyHelp}
          </Blank>
        }
      />
    </>
  );
};
