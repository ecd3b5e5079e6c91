import { Button, NativeSelect } from "@mantine/core";
import { IconLogin2, IconPlus } from "@tabler/icons-react";
import { Link } from "react-router";
import { type SignInWay, signInWays } from "../../contract/kit/organization-settings.ts";
import { addressOfProvider } from "../columns/state-tags.tsx";
import { base } from "../kit/base.ts";
import { parley, sayFailure } from "../kit/client.ts";
import type { Column } from "../kit/data-table.tsx";
import css from "../kit/form.module.css";
import { FormGroup } from "../kit/form-parts.tsx";
import { notify } from "../kit/notices.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { useOrganization } from "../kit/queries.ts";
import { Secret } from "../kit/secrets.tsx";
import { showRow } from "../kit/show.ts";
import { Blank } from "../kit/states.tsx";
import { Tag } from "../kit/tag.tsx";
import { useChange } from "../kit/use-change.ts";
import { WholeList } from "../kit/whole-list.tsx";
import { t } from "../texts/index.ts";
import { type Provider, useProviders } from "./data.ts";
import { Directory } from "./directory.tsx";

const texts = t.providers;

const State = ({ on, clientId }: Provider) =>
  clientId === "" ? (
    <Tag tone="warn">{texts.noClient}</Tag>
  ) : (
    <Tag tone={on ? "ok" : "plain"}>{on ? texts.on : texts.off}</Tag>
  );

const columns: readonly Column<Provider>[] = [
  {
    key: "name",
    label: texts.labels.name,
    heading: true,
    render: ({ id, name }) => (
      <Link to={addressOfProvider(id)}>
        <bdi>{name}</bdi>
      </Link>
    ),
  },
  { key: "issuer", label: texts.labels.issuer, minor: true, render: ({ issuer }) => issuer },
  {
    key: "domains",
    label: texts.labels.domains,
    render: ({ domains }) => showRow(domains),
  },
  { key: "state", label: texts.state, render: (provider) => <State {...provider} /> },
];

/** Returns whether passwords open anything beside the providers, and where people find these. */
const Ways = () => {
  const { data } = useOrganization();
  const edit = useChange(parley.editOrganization);
  if (data === undefined) return null;
  return (
    <>
      <FormGroup id="passwords" title={texts.only} help={texts.onlyHelp}>
        <NativeSelect
          name="signInBy"
          label={t.settings.labels.signInBy}
          value={data.settings.signInBy}
          disabled={edit.isPending}
          data={signInWays.map((value) => ({ value, label: texts.ways[value] }))}
          onChange={(event) =>
            edit.mutate(
              { signInBy: event.currentTarget.value as SignInWay },
              {
                onSuccess: () => notify({ text: texts.waySaved }),
                onError: (failure) => notify({ text: sayFailure(failure), kind: "failed" }),
              },
            )
          }
        />
      </FormGroup>
      <FormGroup id="link" title={texts.link} help={texts.linkHelp}>
        <div className={css.wide}>
          <Secret
            label={texts.link}
            value={`${location.origin}${base}/?organization=${encodeURIComponent(data.id)}`}
          />
        </div>
      </FormGroup>
    </>
  );
};

/** The providers by which people sign in. */
export const ProvidersPage = () => {
  const providers = useProviders();
  return (
    <>
      <PageHeader
        title={texts.title}
        description={texts.description}
        actions={
          <Button component={Link} to="/sign-in/new" leftSection={<IconPlus size={16} />}>
            {texts.create}
          </Button>
        }
      />
      <div className="cards">
        <WholeList
          label={texts.title}
          columns={columns}
          list={providers}
          idOf={({ id }) => id}
          nameOf={({ name }) => name}
          blank={
            <Blank icon={IconLogin2} title={texts.empty}>
              {texts.emptyHelp}
            </Blank>
          }
        />
        {providers.data !== undefined && providers.data.length > 0 && <Ways />}
        <Directory />
      </div>
    </>
  );
};
