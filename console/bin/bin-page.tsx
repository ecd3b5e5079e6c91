import { Button, Menu, NativeSelect } from "@mantine/core";
import { IconArrowBackUp, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "react-router";
import { binKinds } from "../../contract/organization/bin.ts";
import { type BinEntry, useBin, useBinDays, useRestore } from "../data/bin.ts";
import { parley } from "../kit/client.ts";
import { Confirm } from "../kit/confirm.tsx";
import { type Column, DataTable } from "../kit/data-table.tsx";
import { notify } from "../kit/notices.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { Pager } from "../kit/pager.tsx";
import { RowMenu } from "../kit/row-menu.tsx";
import { SearchBox } from "../kit/search-box.tsx";
import { showMoment } from "../kit/show.ts";
import { Blank, Failed, NoMatch } from "../kit/states.tsx";
import { useTableState } from "../kit/table-state.ts";
import { Toolbar } from "../kit/toolbar.tsx";
import { useChange } from "../kit/use-change.ts";
import { t } from "../texts/index.ts";

const texts = t.bin;
const NO_SORT = ["deletedAt"] as const;

const columns: readonly Column<BinEntry>[] = [
  {
    key: "name",
    label: texts.columns.name,
    heading: true,
    render: ({ name, email, subjectId }) => (
      <>
        <bdi>{name}</bdi>{" "}
        <span className="dimmed small">
          <bdi>{email ?? subjectId}</bdi>
        </span>
      </>
    ),
  },
  { key: "kind", label: texts.columns.kind, render: ({ kind }) => texts.kind[kind] },
  {
    key: "deletedAt",
    label: texts.columns.deletedAt,
    minor: true,
    render: ({ deletedAt }) => <time dateTime={deletedAt}>{showMoment(deletedAt)}</time>,
  },
  {
    key: "endsAt",
    label: texts.columns.endsAt,
    render: ({ endsAt }) => <time dateTime={endsAt}>{showMoment(endsAt)}</time>,
  },
];

const DeleteForGood = ({
  entry,
  onClose,
}: {
  readonly entry: BinEntry;
  readonly onClose: () => void;
}) => {
  const remove = useChange(parley.deleteFromBin);
  return (
    <Confirm
      title={texts.deleteTitle(entry.name)}
      confirm={texts.delete}
      danger
      onClose={onClose}
      onConfirm={async () => {
        await remove.mutateAsync({ id: entry.id });
        notify({ text: texts.deleted(entry.name) });
      }}
    >
      {entry.kind === "room" ? texts.deleteRoomHelp : texts.deletePersonHelp}
    </Confirm>
  );
};

/** The contents of the recycle bin, to restore or delete permanently. */
export const BinPage = () => {
  const { state, change, params } = useTableState(NO_SORT);
  const kind = binKinds.find((one) => one === params.get("kind"));
  const { page, limit, search } = state;
  const bin = useBin({ page, limit, search, ...(kind && { kind }) });
  const isOff = useBinDays() === null;
  const restore = useRestore();
  const [question, setQuestion] = useState<BinEntry>();
  const shown = bin.data?.entries;
  const pagination = bin.data?.pagination;

  return (
    <>
      <PageHeader title={texts.title} description={texts.description} />
      <div className="card">
        <Toolbar
          search={
            <SearchBox
              label={texts.searchLabel}
              value={search}
              onSearch={(text) => change({ search: text }, { replace: true })}
            />
          }
        >
          <NativeSelect
            aria-label={texts.filter}
            value={kind ?? ""}
            onChange={(event) => change({ kind: event.currentTarget.value })}
            data={[
              { value: "", label: texts.all },
              ...binKinds.map((value) => ({ value, label: texts.kinds[value] })),
            ]}
          />
        </Toolbar>
        {bin.isError && !shown ? (
          <Failed failure={bin.error} retry={() => void bin.refetch()} />
        ) : shown?.length !== 0 ? (
          <DataTable
            label={texts.title}
            columns={columns}
            rows={shown}
            idOf={({ id }) => id}
            nameOf={({ name }) => name}
            stale={bin.isPlaceholderData}
            menu={(entry) => (
              <RowMenu name={entry.name}>
                <Menu.Item
                  leftSection={<IconArrowBackUp size={16} />}
                  onClick={() => void restore([entry.id], entry.name)}
                >
                  {texts.restore}
                </Menu.Item>
                <Menu.Divider />
                <Menu.Item
                  data-danger
                  leftSection={<IconTrash size={16} />}
                  onClick={() => setQuestion(entry)}
                >
                  {texts.delete}
                </Menu.Item>
              </RowMenu>
            )}
          />
        ) : search !== "" || kind !== undefined ? (
          <NoMatch
            title={texts.noMatch}
            help={texts.noMatchHelp}
            clear={() => change({ search: "", kind: "" })}
          />
        ) : isOff ? (
          <Blank
            icon={IconTrash}
            title={texts.off}
            action={
              <Button variant="default" component={Link} to="/settings">
                {texts.toSettings}
              </Button>
            }
          >
            {texts.offHelp}
          </Blank>
        ) : (
          <Blank icon={IconTrash} title={texts.empty}>
            {texts.emptyHelp}
          </Blank>
        )}
        {pagination && pagination.total > 0 && (
          <Pager
            pagination={pagination}
            what={texts.what}
            onPage={(next) => change({ page: next })}
            onLimit={(next) => change({ limit: next })}
          />
        )}
      </div>
      {question && <DeleteForGood entry={question} onClose={() => setQuestion(undefined)} />}
    </>
  );
};
