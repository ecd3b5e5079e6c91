import { Button, Group } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { AccessKey } from "../../contract/organization/access-keys.ts";
import { base } from "../kit/base.ts";
import { parley, sayFailure } from "../kit/client.ts";
import { Confirm } from "../kit/confirm.tsx";
import { type Column, DataTable } from "../kit/data-table.tsx";
import css from "../kit/form.module.css";
import { FormGroup } from "../kit/form-parts.tsx";
import { notify } from "../kit/notices.tsx";
import { Secret, SecretDialog } from "../kit/secrets.tsx";
import { showMoment } from "../kit/show.ts";
import { useChange } from "../kit/use-change.ts";
import { t } from "../texts/index.ts";

const texts = t.providers;

/** What a directory sends: the access key and its secret. */
const tokenOf = ({ accessKey, secretAccessKey }: AccessKey & { secretAccessKey: string }): string =>
  `${accessKey}.${secretAccessKey}`;

const address = (): string => `${location.origin}${base}/scim/v2`;

const Moment = ({ at }: { readonly at: string | null }) =>
  at === null ? t.time.never : <time dateTime={at}>{showMoment(at)}</time>;

/** Where a directory sends its people, and the tokens by which it may. */
export const Directory = () => {
  const { data = [] } = useQuery({
    queryKey: ["access keys"],
    queryFn: async ({ signal }) => (await parley.listAccessKeys({}, { signal })).accessKeys,
  });
  const create = useChange(parley.createAccessKey);
  const remove = useChange(parley.removeAccessKey);
  const [token, setToken] = useState<string>();
  const [removing, setRemoving] = useState<AccessKey>();
  const tokens = data.filter(({ scope }) => scope === "scim");
  const columns: readonly Column<AccessKey>[] = [
    {
      key: "accessKey",
      label: t.keys.key,
      heading: true,
      render: ({ accessKey }) => <span className="mono small">{accessKey}</span>,
    },
    {
      key: "lastUsedAt",
      label: t.keys.lastUsed,
      render: ({ lastUsedAt }) => <Moment at={lastUsedAt} />,
    },
    {
      key: "createdAt",
      label: t.keys.created,
      minor: true,
      render: ({ createdAt }) => <Moment at={createdAt} />,
    },
    {
      key: "remove",
      label: "",
      wide: true,
      render: (key) => (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t.keys.removeKey(key.accessKey)}
          onClick={() => setRemoving(key)}
        >
          {t.keys.remove}
        </Button>
      ),
    },
  ];
  return (
    <>
      <FormGroup id="directory" title={texts.directory} help={texts.directoryHelp}>
        <div className={css.wide}>
          <Secret label={texts.scimAddress} value={address()} />
        </div>
        {tokens.length > 0 && (
          <div className={css.wide}>
            <DataTable
              label={texts.scimTokens}
              columns={columns}
              rows={tokens}
              idOf={({ accessKey }) => accessKey}
              nameOf={({ accessKey }) => accessKey}
            />
          </div>
        )}
        <Group className={css.wide ?? ""}>
          <Button
            variant="default"
            leftSection={<IconPlus size={16} />}
            loading={create.isPending}
            onClick={() =>
              create.mutate(
                { scope: "scim", name: "SCIM" },
                {
                  onSuccess: ({ accessKey }) => setToken(tokenOf(accessKey)),
                  onError: (failure) => notify({ text: sayFailure(failure), kind: "failed" }),
                },
              )
            }
          >
            {texts.newToken}
          </Button>
        </Group>
      </FormGroup>
      {token !== undefined && (
        <SecretDialog
          title={texts.tokenReady}
          help={t.keys.once}
          secrets={[
            { label: texts.scimAddress, value: address() },
            { label: texts.scimToken, value: token },
          ]}
          firm
          onClose={() => setToken(undefined)}
        />
      )}
      {removing !== undefined && (
        <Confirm
          title={t.keys.removeTitle}
          confirm={t.keys.remove}
          danger
          onConfirm={async () => {
            await remove.mutateAsync({ id: removing.accessKey });
            notify({ text: t.keys.removed });
          }}
          onClose={() => setRemoving(undefined)}
        >
          <p className="mono">{removing.accessKey}</p>
          {t.keys.removeHelp}
        </Confirm>
      )}
    </>
  );
};
