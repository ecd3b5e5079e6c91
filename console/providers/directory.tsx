import { Button, Group } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import type { AccessKey } from "../../contract/organization/access-keys.ts";
import { keyMoments, RemoveKey, useAccessKeys } from "../access/access-key-parts.tsx";
import { base } from "../kit/base.ts";
import { parley, sayFailure } from "../kit/client.ts";
import { type Column, DataTable } from "../kit/data-table.tsx";
import css from "../kit/form.module.css";
import { FormGroup } from "../kit/form-parts.tsx";
import { notify } from "../kit/notices.tsx";
import { Secret, SecretDialog } from "../kit/secrets.tsx";
import { useChange } from "../kit/use-change.ts";
import { t } from "../texts/index.ts";

const texts = t.providers;

/** The token of a directory: the access key and its secret. */
const tokenOf = ({ accessKey, secretAccessKey }: AccessKey & { secretAccessKey: string }): string =>
  `${accessKey}.${secretAccessKey}`;

const address = (): string => `${location.origin}${base}/scim/v2`;

/** Where a directory sends its people, and the tokens by which it may. */
export const Directory = () => {
  const { data = [] } = useAccessKeys();
  const create = useChange(parley.createAccessKey);
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
    ...keyMoments,
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
        <RemoveKey removing={removing} onClose={() => setRemoving(undefined)} />
      )}
    </>
  );
};
