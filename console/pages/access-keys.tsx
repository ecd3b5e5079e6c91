import { Button, Group, Stack, Text } from "@mantine/core";
import { IconKey, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Reply } from "../../contract/operation.ts";
import type { createAccessKey } from "../../contract/organization.ts";
import { parley, sayFailure } from "../data/client.ts";
import { showMoment } from "../data/show.ts";
import { useChange } from "../data/use-change.ts";
import { useOnce } from "../data/use-once.ts";
import { Confirm } from "../parts/confirm.tsx";
import { CopyIcon } from "../parts/copy.tsx";
import { DataTable } from "../parts/data-table.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { notify } from "../parts/notices.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { Secret } from "../parts/secret.tsx";
import { Blank, Failed } from "../parts/states.tsx";
import css from "../styles/facts.module.css";
import { t } from "../texts/index.ts";

type Made = Reply<typeof createAccessKey>["accessKey"];

const MadeDialog = ({ made, onClose }: { readonly made: Made; readonly onClose: () => void }) => (
  <Dialog title={t.keys.createdTitle} onClose={onClose} size="lg" firm>
    <Stack gap="md">
      <Text size="sm">{t.keys.once}</Text>
      <Secret label={t.keys.key} value={made.accessKey} />
      <Secret label={t.keys.secret} value={made.secretAccessKey} />
      <Group justify="flex-end">
        <Button onClick={onClose} data-autofocus>
          {t.actions.done}
        </Button>
      </Group>
    </Stack>
  </Dialog>
);

/** The access keys of programs that use the API. */
export const AccessKeysPage = () => {
  const keys = useQuery({
    queryKey: ["access keys"],
    queryFn: async ({ signal }) => (await parley.listAccessKeys({}, { signal })).accessKeys,
  });
  const create = useChange(() => parley.createAccessKey());
  const remove = useChange(parley.removeAccessKey);
  const [made, setMade] = useState<Made>();
  const [removing, setRemoving] = useState<string>();

  const createOnce = useOnce(async () => {
    try {
      setMade((await create.mutateAsync(undefined)).accessKey);
    } catch (failure) {
      notify({ text: sayFailure(failure), kind: "failed" });
    }
  });

  const createButton = (
    <Button
      leftSection={<IconPlus size={16} />}
      loading={create.isPending}
      onClick={() => void createOnce()}
    >
      {t.keys.create}
    </Button>
  );

  return (
    <>
      <PageHeader title={t.keys.title} description={t.keys.description} actions={createButton} />
      <div className="card">
        {keys.isError && !keys.data ? (
          <Failed failure={keys.error} retry={() => void keys.refetch()} />
        ) : keys.data?.length === 0 ? (
          <Blank icon={IconKey} title={t.keys.empty}>
            {t.keys.emptyHelp}
          </Blank>
        ) : (
          <DataTable
            label={t.keys.title}
            rows={keys.data}
            idOf={({ accessKey }) => accessKey}
            nameOf={({ accessKey }) => accessKey}
            columns={[
              {
                key: "accessKey",
                label: t.keys.key,
                heading: true,
                render: ({ accessKey }) => (
                  <span className={css.pair}>
                    <span className="mono">{accessKey}</span>
                    <CopyIcon text={accessKey} what={`${t.keys.key} ${accessKey}`} />
                  </span>
                ),
              },
              {
                key: "createdAt",
                label: t.keys.created,
                render: ({ createdAt }) => (
                  <time dateTime={createdAt}>{showMoment(createdAt)}</time>
                ),
              },
              {
                key: "remove",
                label: "",
                render: ({ accessKey }) => (
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={t.keys.removeKey(accessKey)}
                    onClick={() => setRemoving(accessKey)}
                  >
                    {t.keys.remove}
                  </Button>
                ),
              },
            ]}
          />
        )}
      </div>
      {made && <MadeDialog made={made} onClose={() => setMade(undefined)} />}
      {removing !== undefined && (
        <Confirm
          title={t.keys.removeTitle}
          confirm={t.keys.remove}
          danger
          onConfirm={async () => {
            await remove.mutateAsync({ id: removing });
            notify({ text: t.keys.removed });
          }}
          onClose={() => setRemoving(undefined)}
        >
          <p className="mono">{removing}</p>
          {t.keys.removeHelp}
        </Confirm>
      )}
    </>
  );
};
