import { Alert, Button, Skeleton, Switch, TextInput } from "@mantine/core";
import { IconPlugConnected, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { useNavigate, useParams } from "react-router";
import {
  createProvider,
  type Finding,
  type ProviderSettings,
  providerSettings,
} from "../../contract/organization/providers.ts";
import { addressOfProvider } from "../columns/state-tags.tsx";
import { base } from "../kit/base.ts";
import { parley, sayFailure } from "../kit/client.ts";
import { Confirm } from "../kit/confirm.tsx";
import css from "../kit/form.module.css";
import { asTyped, useForm } from "../kit/form.ts";
import { EditForm, FormGroup } from "../kit/form-parts.tsx";
import { useLeaveGuard } from "../kit/leave-guard.tsx";
import { NotFound } from "../kit/not-found.tsx";
import { notify } from "../kit/notices.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { PasswordField } from "../kit/password-field.tsx";
import { reasonText } from "../kit/reasons.ts";
import { around, said } from "../kit/said.tsx";
import { longest } from "../kit/schema.ts";
import { Secret } from "../kit/secrets.tsx";
import { Failed } from "../kit/states.tsx";
import { useChange } from "../kit/use-change.ts";
import { useOnce } from "../kit/use-once.ts";
import { t } from "../texts/index.ts";
import { type Provider, useProviders } from "./data.ts";

const texts = t.providers;
const { shape } = createProvider.input;

type Values = Omit<ProviderSettings, "domains"> & {
  readonly name: string;
  readonly issuer: string;
  readonly on: boolean;
  readonly clientSecret: string;
  /** As they are typed: separated by spaces or commas. */
  readonly domains: string;
};

const initial = Object.fromEntries(
  Object.entries(providerSettings).map(([name, setting]) => [name, setting.initial]),
) as ProviderSettings;

const NEW: Values = { ...initial, name: "", issuer: "", on: true, clientSecret: "", domains: "" };

const listed = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean);

/** The values that differ, to be sent; an empty secret is the one that is kept. */
const sentOf = ({ domains, clientSecret, ...others }: Partial<Values>) => ({
  ...asTyped(others),
  ...(domains !== undefined && { domains: listed(domains) }),
  ...(clientSecret && { clientSecret }),
});

interface FormProps {
  readonly saved: Values;
  readonly isNew: boolean;
  readonly hasSecret: boolean;
  readonly busy: boolean;
  readonly save: (changes: Partial<Values>) => Promise<Values | undefined>;
}

type TextName = Exclude<keyof Values, "on" | "createsAccounts" | "clientSecret">;

const ProviderForm = ({ saved, isNew, hasSecret, busy, save }: FormProps) => {
  const form = useForm<Values>(saved, texts.labels);
  const guard = useLeaveGuard(form.dirty);
  const submit = useOnce(async () => {
    if (!isNew && !form.dirty) return;
    try {
      const next = await save(isNew ? form.values : form.changes);
      if (next === undefined) guard.release();
      else form.accept(next, form.values);
    } catch (failure) {
      form.fail(failure);
    }
  });
  const field = (
    name: TextName,
    help?: string,
    more: { withAsterisk?: true; type?: "url" } = {},
  ) => {
    const most = longest(shape[name]);
    return (
      <TextInput
        key={name}
        name={name}
        label={texts.labels[name]}
        description={help}
        autoComplete="off"
        spellCheck={false}
        {...more}
        {...(most !== undefined && name !== "domains" && { maxLength: most })}
        value={form.values[name]}
        error={form.errors[name]}
        onChange={(event) => form.set(name, event.currentTarget.value)}
      />
    );
  };
  return (
    <EditForm
      form={form}
      save={isNew ? texts.saveNew : t.actions.save}
      cancelTo="/sign-in"
      isNew={isNew}
      busy={busy}
      onSubmit={() => void submit()}
    >
      <FormGroup id="provider" title={texts.access} help={texts.accessHelp}>
        <div className={css.wide}>{field("name", texts.nameHelp, { withAsterisk: true })}</div>
        <div className={css.wide}>
          {field("issuer", texts.issuerHelp, { withAsterisk: true, type: "url" })}
        </div>
        {field("clientId")}
        <PasswordField
          name="clientSecret"
          label={texts.labels.clientSecret}
          description={hasSecret ? texts.secretKept : undefined}
          autoComplete="off"
          value={form.values.clientSecret}
          error={form.errors.clientSecret}
          onChange={(event) => form.set("clientSecret", event.currentTarget.value)}
        />
        <div className={css.wide}>
          <Switch
            name="on"
            label={texts.labels.on}
            checked={form.values.on}
            onChange={(event) => form.set("on", event.currentTarget.checked)}
          />
        </div>
      </FormGroup>
      <FormGroup id="people" title={texts.people} help={texts.peopleHelp}>
        <div className={css.wide}>{field("domains", texts.domainsHelp)}</div>
        <div className={css.wide}>
          <Switch
            name="createsAccounts"
            label={texts.labels.createsAccounts}
            description={texts.createsHelp}
            checked={form.values.createsAccounts}
            onChange={(event) => form.set("createsAccounts", event.currentTarget.checked)}
          />
        </div>
      </FormGroup>
      <FormGroup id="claims" title={texts.claims} help={texts.claimsHelp}>
        {field("emailClaim")}
        {field("verifiedClaim", texts.verifiedHelp)}
        {field("nameClaim")}
        {field("roleClaim", texts.roleHelp)}
        {field("adminClaim", texts.adminHelp)}
        {field("adminValue", texts.adminValueHelp)}
        {field("tagsClaim", texts.tagsHelp)}
        {field("scopes")}
      </FormGroup>
      {guard.question}
    </EditForm>
  );
};

/** Adds a provider; the addresses to register with it follow. */
export const NewProviderPage = () => {
  const navigate = useNavigate();
  const create = useChange(parley.createProvider);
  return (
    <>
      <PageHeader title={texts.newTitle} description={texts.addressesLater} />
      <ProviderForm
        saved={NEW}
        isNew
        hasSecret={false}
        busy={create.isPending}
        save={async (values) => {
          const { name = "", issuer = "", ...others } = sentOf(values);
          const { provider } = await create.mutateAsync({ ...others, name, issuer });
          notify({ text: texts.made });
          void navigate(addressOfProvider(provider.id));
          return undefined;
        }}
      />
    </>
  );
};

const valuesOf = ({ domains, ...provider }: Provider): Values => {
  const { id, hasSecret, redirectAddress, backChannelAddress, createdAt, updatedAt, ...settings } =
    provider;
  return { ...settings, clientSecret: "", domains: domains.join(" ") };
};

/** The result of a check, in the page's language. */
const foundIn = ({ check, ok, problem, code, ...values }: Finding): string =>
  (code === null ? undefined : reasonText({ ...values, code })) ?? problem ?? texts.fine;

/** The result of a test. */
const Findings = ({ findings }: { readonly findings: readonly Finding[] }) => {
  const isFine = findings.every(({ ok }) => ok);
  return (
    <Alert color={isFine ? "green" : "red"} variant="light" role="alert" title={texts.tested}>
      <ul>
        {findings.map((finding) => (
          <li key={finding.check}>
            {around(
              (part) => t.rooms.setTo(texts.checks[finding.check], part),
              said(foundIn(finding)),
            )}
          </li>
        ))}
      </ul>
      {isFine && <p>{texts.testOk}</p>}
    </Alert>
  );
};

const Addresses = ({ redirectAddress, backChannelAddress }: Provider) => (
  <FormGroup id="addresses" title={texts.addresses} help={texts.addressesHelp}>
    <div className={css.wide}>
      <Secret label={texts.redirect} value={redirectAddress} />
      <Secret label={texts.home} value={`${location.origin}${base}/`} />
      <Secret label={texts.backChannel} value={backChannelAddress} />
    </div>
  </FormGroup>
);

const Editing = ({ provider }: { readonly provider: Provider }) => {
  const { id, name } = provider;
  const navigate = useNavigate();
  const edit = useChange(parley.editProvider);
  const test = useChange(parley.testProvider);
  const remove = useChange(parley.removeProvider);
  const [removing, setRemoving] = useState(false);
  return (
    <>
      <PageHeader
        title={name}
        actions={
          <>
            <Button
              variant="default"
              leftSection={<IconTrash size={16} />}
              onClick={() => setRemoving(true)}
            >
              {texts.remove}
            </Button>
            <Button
              leftSection={<IconPlugConnected size={16} />}
              loading={test.isPending}
              onClick={() =>
                test.mutate(
                  { id },
                  {
                    onError: (failure) => notify({ text: sayFailure(failure), kind: "failed" }),
                  },
                )
              }
            >
              {texts.test}
            </Button>
          </>
        }
      />
      <div className="cards">
        {test.data && <Findings findings={test.data.findings} />}
        <Addresses {...provider} />
        <ProviderForm
          saved={valuesOf(provider)}
          isNew={false}
          hasSecret={provider.hasSecret}
          busy={edit.isPending}
          save={async (changes) => {
            const { provider: edited } = await edit.mutateAsync({ ...sentOf(changes), id });
            notify({ text: texts.saved });
            return valuesOf(edited);
          }}
        />
      </div>
      {removing && (
        <Confirm
          title={texts.removeTitle}
          confirm={texts.remove}
          danger
          onConfirm={async () => {
            await remove.mutateAsync({ id });
            notify({ text: texts.removed });
            void navigate("/sign-in");
          }}
          onClose={() => setRemoving(false)}
        >
          <p>
            <bdi>{name}</bdi>
          </p>
          {texts.removeHelp}
        </Confirm>
      )}
    </>
  );
};

/** A provider: its settings, the addresses to register with it, and whether it works. */
export const ProviderPage = () => {
  const { id } = useParams();
  const { data, error, refetch } = useProviders();
  const provider = data?.find((one) => one.id === id);
  if (data && !provider) return <NotFound />;
  if (provider) return <Editing key={provider.id} provider={provider} />;
  return error ? (
    <div className="card">
      <Failed failure={error} retry={() => void refetch()} />
    </div>
  ) : (
    <Skeleton height={420} radius="md" />
  );
};
