import { Button, NativeSelect } from "@mantine/core";
import { IconListDetails } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { type HistoryEntry, isWhole } from "../../contract/history/history.ts";
import { Actor } from "../columns/actor.tsx";
import { OwnerFilter } from "../columns/owner-filter.tsx";
import { addressOfPerson } from "../columns/person-columns.tsx";
import { addressOfRoom } from "../columns/room-columns.tsx";
import { RoomFilterTag } from "../columns/room-filter.tsx";
import { addressOfProvider, addressOfRecording, addressOfWebhook } from "../columns/state-tags.tsx";
import { parley } from "../kit/client.ts";
import { type Column, DataTable } from "../kit/data-table.tsx";
import { DayFilter, momentOf } from "../kit/day-filter.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { Pager } from "../kit/pager.tsx";
import { type Named, useNamed } from "../kit/queries.ts";
import { SearchBox } from "../kit/search-box.tsx";
import { showMoment } from "../kit/show.ts";
import { Blank, Failed, NoMatch } from "../kit/states.tsx";
import { useTableState } from "../kit/table-state.ts";
import { Toolbar } from "../kit/toolbar.tsx";
import { t } from "../texts/index.ts";
import { EntryChanges } from "./changes.tsx";
import { ExportMenu } from "./export-menu.tsx";
import { canBeOffered, ownersOfEntry, subjectOf } from "./facts.ts";
import css from "./history.module.css";
import { kindChoices, kindsOf } from "./kinds.ts";
import { UndoDialog } from "./undo-dialog.tsx";

const texts = t.history;
const NO_SORT = ["at"] as const;
const NO_FILTER = { search: "", kind: "", personId: "", roomId: "", from: "", to: "" };

/** The subject of an entry, with a link if it still exists. */
const Subject = ({ entry }: { readonly entry: HistoryEntry }) => {
  const { kind, id, name } = entry.subject;
  const text = name || texts.deletedPerson;
  if (kind === "accessKey") return <span className="mono">{id}</span>;
  if (/(Deleted|Removed|Binned)$/.test(entry.kind) || name === null || kind === "organization")
    return <bdi>{text}</bdi>;
  const addressOf = {
    room: addressOfRoom,
    user: addressOfPerson,
    recording: addressOfRecording,
    webhook: addressOfWebhook,
    provider: addressOfProvider,
  };
  return (
    <Link to={addressOf[kind](id)}>
      <bdi>{text}</bdi>
    </Link>
  );
};

interface ColumnsOf {
  readonly named: Named;
  readonly undo: (entry: HistoryEntry) => void;
}

const columns = ({ named, undo }: ColumnsOf): readonly Column<HistoryEntry>[] => [
  {
    key: "what",
    label: texts.columns.what,
    heading: true,
    render: (entry) => (
      <>
        <span className={css.what}>{texts.kinds[entry.kind]}</span>
        <span className={css.subject}>
          <Subject entry={entry} />
        </span>
        {entry.partOf !== null && (
          <span className={`dimmed small ${css.who}`}>{texts.partOf(entry.partOf)}</span>
        )}
        {entry.undoes !== null && (
          <span className={`dimmed small ${css.who}`}>{texts.takesBack(entry.undoes)}</span>
        )}
      </>
    ),
  },
  {
    key: "when",
    label: texts.columns.when,
    render: ({ at, number }) => (
      <>
        <time dateTime={at}>{showMoment(at)}</time>
        <span className={`dimmed small ${css.who}`}>{texts.number(number)}</span>
      </>
    ),
  },
  {
    key: "who",
    label: texts.columns.who,
    render: (entry) => (
      <span className={`${css.who} ${css.actor}`}>
        <Actor entry={entry} />
        {entry.actor.address !== null && (
          <span className={`dimmed small ${css.who}`}>{texts.from(entry.actor.address)}</span>
        )}
      </span>
    ),
  },
  {
    key: "changes",
    label: texts.columns.changes,
    wide: true,
    render: (entry) => <EntryChanges entry={entry} named={named} />,
  },
  {
    key: "undo",
    label: "",
    wide: true,
    render: (entry) =>
      canBeOffered(entry) && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={texts.undoEntry(entry.number)}
          onClick={() => undo(entry)}
        >
          {texts.undo}
        </Button>
      ),
  },
];

/** The filters in the address bar. */
const useAsked = () => {
  const { state, change, params } = useTableState(NO_SORT);
  const value = (name: string): string => params.get(name) ?? "";
  const [personId, roomId] = [value("personId"), value("roomId")];
  const kinds = kindsOf(value("kind"));
  const [since, until] = [momentOf(value("from")), momentOf(value("to"), 1)];
  const filters = {
    search: state.search,
    ...(kinds.length > 0 && { kind: kinds.join(",") }),
    ...(personId && { personId }),
    ...(roomId && { roomId }),
    ...(since && { from: since }),
    ...(until && { to: until }),
  };
  const isFiltered = Object.keys(NO_FILTER).some((name) => value(name) !== "");
  return { state, change, value, filters, isFiltered };
};

/** The history of the organization, for its administrators. */
export const HistoryPage = () => {
  const { state, change, value, filters, isFiltered } = useAsked();
  const asked = { ...filters, page: state.page, limit: state.limit };
  const history = useQuery({
    queryKey: ["history", asked],
    queryFn: ({ signal }) => parley.listHistory(asked, { signal }),
    placeholderData: keepPreviousData,
  });
  const [undoing, setUndoing] = useState<HistoryEntry>();
  const shown = history.data?.entries;
  const named = useNamed((shown ?? []).flatMap(ownersOfEntry)).data;

  return (
    <>
      <PageHeader
        title={texts.title}
        description={texts.description}
        actions={<ExportMenu asked={filters} />}
      />
      <div className="card">
        <Toolbar
          search={
            <SearchBox
              label={texts.searchLabel}
              placeholder={texts.searchHint}
              value={state.search}
              onSearch={(search) => change({ search }, { replace: true })}
            />
          }
        >
          <NativeSelect
            aria-label={texts.kindFilter}
            value={value("kind")}
            onChange={(event) => change({ kind: event.currentTarget.value })}
            data={kindChoices}
          />
          <OwnerFilter
            label={texts.personFilter}
            placeholder={texts.anyPerson}
            value={value("personId")}
            onChange={(personId) => change({ personId })}
          />
          <RoomFilterTag value={value("roomId")} onChange={(roomId) => change({ roomId })} />
          <DayFilter
            label={t.table.from}
            value={value("from")}
            onChange={(from) => change({ from })}
          />
          <DayFilter label={t.table.to} value={value("to")} onChange={(to) => change({ to })} />
        </Toolbar>
        {history.isError && !shown ? (
          <Failed failure={history.error} retry={() => void history.refetch()} />
        ) : shown?.length === 0 ? (
          isFiltered ? (
            <NoMatch
              title={texts.noMatch}
              help={texts.noMatchHelp}
              clear={() => change(NO_FILTER)}
            />
          ) : (
            <Blank icon={IconListDetails} title={texts.empty}>
              {texts.emptyHelp}
            </Blank>
          )
        ) : (
          <DataTable
            label={texts.title}
            columns={columns({ named, undo: setUndoing })}
            rows={shown}
            idOf={({ number }) => String(number)}
            nameOf={({ number }) => texts.number(number)}
            stale={history.isPlaceholderData}
          />
        )}
        {history.data && history.data.pagination.total > 0 && (
          <Pager
            pagination={history.data.pagination}
            what={texts.what}
            onPage={(page) => change({ page })}
            onLimit={(limit) => change({ limit })}
          />
        )}
      </div>
      {undoing && (
        <UndoDialog
          number={undoing.number}
          subject={subjectOf(undoing)}
          named={named}
          onClose={() => setUndoing(undefined)}
        >
          {isWhole(undoing.kind) ? (
            <p>{texts.undoWholeHelp}</p>
          ) : (
            <>
              <p>{texts.undoHelp}</p>
              {/* As it will be after the undo: the former "after" comes first. */}
              <EntryChanges
                entry={{ ...undoing, before: undoing.after, after: undoing.before }}
                named={named}
              />
            </>
          )}
        </UndoDialog>
      )}
    </>
  );
};
