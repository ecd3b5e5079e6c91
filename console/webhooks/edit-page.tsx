import { Skeleton, TextInput } from "@mantine/core";
import { useState } from "react";
import { useNavigate, useParams } from "react-router";
import type { WebhookEvent } from "../../contract/webhooks/events.ts";
import { createWebhook } from "../../contract/webhooks/webhooks.ts";
import { addressOfWebhook } from "../columns/state-tags.tsx";
import { useWebhooks, type Webhook } from "../data/webhooks.ts";
import { parley } from "../kit/client.ts";
import css from "../kit/form.module.css";
import { asTyped, useForm } from "../kit/form.ts";
import { EditForm, FormGroup } from "../kit/form-parts.tsx";
import { useLeaveGuard } from "../kit/leave-guard.tsx";
import { NotFound } from "../kit/not-found.tsx";
import { notify } from "../kit/notices.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { longest } from "../kit/schema.ts";
import { Failed } from "../kit/states.tsx";
import { useChange } from "../kit/use-change.ts";
import { useOnce } from "../kit/use-once.ts";
import { t } from "../texts/index.ts";
import { EventFields } from "./event-fields.tsx";
import { WebhookSecret } from "./webhook-actions.tsx";

const texts = t.webhooks;
const { shape } = createWebhook.input;
const limit = (length: number | undefined) => (length === undefined ? {} : { maxLength: length });

interface Values {
  readonly url: string;
  readonly description: string;
  readonly events: readonly WebhookEvent[];
}

interface FormProps {
  readonly saved: Values;
  readonly isNew: boolean;
  readonly cancelTo: string;
  /** Saves it. @param changes the values that differ. @throws the service's refusal */
  readonly save: (values: Values, changes: Partial<Values>) => Promise<unknown>;
  readonly onSaved?: () => void;
  readonly onUnchanged?: () => void;
  readonly busy: boolean;
}

const WebhookForm = ({ saved, isNew, cancelTo, save, onSaved, onUnchanged, busy }: FormProps) => {
  const form = useForm<Values>(saved, texts.labels);
  const guard = useLeaveGuard(form.dirty);
  const submit = useOnce(async () => {
    if (!isNew && !form.dirty) return onUnchanged?.();
    try {
      await save(form.values, form.changes);
      guard.release();
      onSaved?.();
    } catch (failure) {
      form.fail(failure);
    }
  });
  return (
    <EditForm
      form={form}
      save={isNew ? texts.saveNew : t.actions.save}
      cancelTo={cancelTo}
      isNew={isNew}
      busy={busy}
      onSubmit={() => void submit()}
    >
      <FormGroup id="address" title={texts.address} help={texts.addressHelp}>
        <div className={css.wide}>
          <TextInput
            label={texts.labels.url}
            description={texts.urlHelp}
            withAsterisk
            type="url"
            autoComplete="off"
            {...limit(longest(shape.url))}
            value={form.values.url}
            error={form.errors.url}
            onChange={(event) => form.set("url", event.currentTarget.value)}
          />
        </div>
        <div className={css.wide}>
          <TextInput
            label={texts.labels.description}
            description={texts.descriptionHelp}
            autoComplete="off"
            {...limit(longest(shape.description))}
            value={form.values.description}
            error={form.errors.description}
            onChange={(event) => form.set("description", event.currentTarget.value)}
          />
        </div>
      </FormGroup>
      <FormGroup id="events" title={texts.labels.events} help={texts.eventsHelp}>
        <EventFields
          value={form.values.events}
          error={form.errors.events}
          onChange={(events) => form.set("events", events)}
        />
      </FormGroup>
      {guard.question}
    </EditForm>
  );
};

/** A new webhook; its secret is shown once. */
export const NewWebhookPage = () => {
  const navigate = useNavigate();
  const create = useChange(parley.createWebhook);
  const [made, setMade] = useState<{ readonly id: string; readonly secret: string }>();
  return (
    <>
      <PageHeader title={texts.newTitle} />
      <WebhookForm
        saved={{ url: "", description: "", events: [] }}
        isNew
        cancelTo="/webhooks"
        busy={create.isPending}
        save={async ({ events, ...values }) => {
          // The answer may arrive between two clicks.
          if (made !== undefined) return;
          setMade((await create.mutateAsync({ ...asTyped(values), events: [...events] })).webhook);
        }}
      />
      {made && (
        <WebhookSecret
          secret={made.secret}
          onClose={() => void navigate(addressOfWebhook(made.id))}
        />
      )}
    </>
  );
};

const Editing = ({ webhook: { id, url, description, events } }: { readonly webhook: Webhook }) => {
  const navigate = useNavigate();
  const edit = useChange(parley.editWebhook);
  const leave = () => void navigate(addressOfWebhook(id));
  return (
    <WebhookForm
      saved={{ url, description, events }}
      isNew={false}
      cancelTo={addressOfWebhook(id)}
      busy={edit.isPending}
      save={(_, { events: chosen, ...changes }) =>
        edit.mutateAsync({ ...asTyped(changes), id, ...(chosen ? { events: [...chosen] } : {}) })
      }
      onSaved={() => {
        notify({ text: texts.saved });
        leave();
      }}
      onUnchanged={leave}
    />
  );
};

/** Changes where a webhook goes, and which events it gets. */
export const EditWebhookPage = () => {
  const { id } = useParams();
  const { data, error, refetch } = useWebhooks();
  const webhook = data?.find((one) => one.id === id);
  if (data && !webhook) return <NotFound />;
  return (
    <>
      <PageHeader title={texts.editTitle} />
      {webhook ? (
        <Editing key={webhook.id} webhook={webhook} />
      ) : error ? (
        <div className="card">
          <Failed failure={error} retry={() => void refetch()} />
        </div>
      ) : (
        <Skeleton height={420} radius="md" />
      )}
    </>
  );
};
