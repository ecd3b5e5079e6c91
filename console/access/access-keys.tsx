import { Button, Group } from "@mantine/core";
import { IconKey, IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import type { AccessKey } from "../../contract/organization/access-keys.ts";
import { CopyIcon } from "../kit/copy.tsx";
import css from "../kit/facts.module.css";
import { PageHeader } from "../kit/page-header.tsx";
import { SecretDialog } from "../kit/secrets.tsx";
import { Blank } from "../kit/states.tsx";
import { Tag } from "../kit/tag.tsx";
import { WholeList } from "../kit/whole-list.tsx";
import { t } from "../texts/index.ts";
import { AccessKeyDialog, type Made } from "./access-key-dialog.tsx";
import { KeyMoment, keyMoments, RemoveKey, useAccessKeys } from "./access-key-parts.tsx";

const MadeDialog = ({ made, onClose }: { readonly made: Made; readonly onClose: () => void }) => (
  <SecretDialog
    title={t.keys.createdTitle}
    help={t.keys.once}
    secrets={[
      { label: t.keys.key, value: made.accessKey },
      { label: t.keys.secret, value: made.secretAccessKey },
    ]}
    firm
    onClose={onClose}
  />
);

/** The label of a key: its name if it has one. */
const nameOf = ({ name, accessKey }: AccessKey): string => name || accessKey;

/** The access keys of programs that use the API. */
export const AccessKeysPage = () => {
  const keys = useAccessKeys();
  const [made, setMade] = useState<Made>();
  /** The key being edited, or a new one. */
  const [asking, setAsking] = useState<{ readonly edited: AccessKey | undefined }>();
  const [removing, setRemoving] = useState<AccessKey>();

  const createButton = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setAsking({ edited: undefined })}>
      {t.keys.create}
    </Button>
  );

  return (
    <>
      <PageHeader title={t.keys.title} description={t.keys.description} actions={createButton} />
      <WholeList
        label={t.keys.title}
        list={keys}
        idOf={({ accessKey }) => accessKey}
        nameOf={nameOf}
        blank={
          <Blank icon={IconKey} title={t.keys.empty}>
            {t.keys.emptyHelp}
          </Blank>
        }
        columns={[
          {
            key: "accessKey",
            label: t.keys.key,
            heading: true,
            render: ({ name, accessKey }) => (
              <>
                {name === "" ? <span className="dimmed">{t.keys.noName}</span> : <bdi>{name}</bdi>}
                <br />
                <span className={`small dimmed ${css.pair}`}>
                  <span className="mono">{accessKey}</span>
                  <CopyIcon text={accessKey} what={`${t.keys.key} ${accessKey}`} />
                </span>
              </>
            ),
          },
          {
            key: "scope",
            label: t.keys.labels.scope,
            render: ({ scope }) => t.keys.scopes[scope],
          },
          {
            key: "expiresAt",
            label: t.keys.labels.expiresAt,
            render: ({ expiresAt }) =>
              expiresAt !== null && Date.parse(expiresAt) <= Date.now() ? (
                <Tag tone="warn">{t.keys.ended}</Tag>
              ) : (
                <KeyMoment at={expiresAt} />
              ),
          },
          ...keyMoments,
          {
            key: "remove",
            label: "",
            wide: true,
            render: (key) => (
              <Group gap="xs" wrap="nowrap">
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={t.keys.editKey(nameOf(key))}
                  onClick={() => setAsking({ edited: key })}
                >
                  {t.keys.edit}
                </Button>
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={t.keys.removeKey(nameOf(key))}
                  onClick={() => setRemoving(key)}
                >
                  {t.keys.remove}
                </Button>
              </Group>
            ),
          },
        ]}
      />
      {asking && (
        <AccessKeyDialog
          edited={asking.edited}
          onMade={setMade}
          onClose={() => setAsking(undefined)}
        />
      )}
      {made && <MadeDialog made={made} onClose={() => setMade(undefined)} />}
      {removing !== undefined && (
        <RemoveKey removing={removing} onClose={() => setRemoving(undefined)} />
      )}
    </>
  );
};
