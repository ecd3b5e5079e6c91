import { useQuery } from "@tanstack/react-query";
import type { AccessKey } from "../../contract/organization/access-keys.ts";
import { parley } from "../kit/client.ts";
import { Confirm } from "../kit/confirm.tsx";
import type { Column } from "../kit/data-table.tsx";
import { notify } from "../kit/notices.tsx";
import { showMoment } from "../kit/show.ts";
import { useChange } from "../kit/use-change.ts";
import { t } from "../texts/index.ts";

/** The access keys of the organization. */
export const useAccessKeys = () =>
  useQuery({
    queryKey: ["access keys"],
    queryFn: async ({ signal }) => (await parley.listAccessKeys({}, { signal })).accessKeys,
  });

/** When something happened to a key, if it did. */
export const KeyMoment = ({ at }: { readonly at: string | null }) =>
  at === null ? t.time.never : <time dateTime={at}>{showMoment(at)}</time>;

/** The columns that say when a key was used and made. */
export const keyMoments: readonly Column<AccessKey>[] = [
  {
    key: "lastUsedAt",
    label: t.keys.lastUsed,
    render: ({ lastUsedAt }) => <KeyMoment at={lastUsedAt} />,
  },
  {
    key: "createdAt",
    label: t.keys.created,
    minor: true,
    render: ({ createdAt }) => <KeyMoment at={createdAt} />,
  },
];

interface RemoveKeyProps {
  /** The key that is asked about. */
  readonly removing: AccessKey;
  readonly onClose: () => void;
}

/** Asks whether a key is to be removed. */
export const RemoveKey = ({ removing, onClose }: RemoveKeyProps) => {
  const remove = useChange(parley.removeAccessKey);
  return (
    <Confirm
      title={t.keys.removeTitle}
      confirm={t.keys.remove}
      danger
      onConfirm={async () => {
        await remove.mutateAsync({ id: removing.accessKey });
        notify({ text: t.keys.removed });
      }}
      onClose={onClose}
    >
      {removing.name !== "" && (
        <p>
          <bdi>{removing.name}</bdi>
        </p>
      )}
      <p className="mono">{removing.accessKey}</p>
      {t.keys.removeHelp}
    </Confirm>
  );
};
