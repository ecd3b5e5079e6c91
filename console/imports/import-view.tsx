import { Alert, Button, NativeSelect } from "@mantine/core";
import { IconArrowBackUp, IconDownload, IconFileImport, IconSearchOff } from "@tabler/icons-react";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import {
  type ImportKind,
  type ImportLine,
  type ImportSummary,
  lineOutcomes,
  linePlans,
} from "../../contract/imports/imports.ts";
import { toCsv } from "../../contract/kit/csv.ts";
import { IMPORT_PAGE } from "../../contract/kit/plain.ts";
import { addressOfPerson } from "../columns/person-columns.tsx";
import { addressOfRoom } from "../columns/room-columns.tsx";
import { FactList } from "../history/changes.tsx";
import { factsOf, ownersOfEntry, subjectOfLines } from "../history/facts.ts";
import { UndoDialog } from "../history/undo-dialog.tsx";
import { parley, sayFailure } from "../kit/client.ts";
import { type Column, DataTable } from "../kit/data-table.tsx";
import { collect, download } from "../kit/export.ts";
import { FailureNote } from "../kit/failure-note.tsx";
import { Progress } from "../kit/meter.tsx";
import { notify } from "../kit/notices.tsx";
import { Pager } from "../kit/pager.tsx";
import { type Named, useNamed } from "../kit/queries.ts";
import { reasonText } from "../kit/reasons.ts";
import { showMoment, showNumber, showRow, showSentences } from "../kit/show.ts";
import { Blank, Failed } from "../kit/states.tsx";
import { useTableState } from "../kit/table-state.ts";
import { Tag, type Tone } from "../kit/tag.tsx";
import { Toolbar } from "../kit/toolbar.tsx";
import { t } from "../texts/index.ts";
import { ConfirmForm } from "./confirm-form.tsx";
import css from "./imports.module.css";
import { WasRead } from "./was-read.tsx";
import { goesOn, sumOf, useWork } from "./work.ts";

const texts = t.imports;
const NO_SORT = ["line"] as const;

const tones: Readonly<Record<string, Tone>> = {
  create: "ok",
  created: "ok",
  change: "warn",
  changed: "warn",
  same: "calm",
  refuse: "bad",
  refused: "bad",
};

const stateOf = ({ plan, outcome }: ImportLine) => {
  if (outcome !== null) return <Tag tone={tones[outcome]}>{texts.outcomes[outcome]}</Tag>;
  return plan === null ? null : <Tag tone={tones[plan]}>{texts.plans[plan]}</Tag>;
};

const columnsOf = (
  { kind, undoneAt }: Pick<ImportSummary, "kind" | "undoneAt">,
  named: Named,
): readonly Column<ImportLine>[] => {
  const isUndone = undoneAt !== null;
  return [
    { key: "line", label: texts.line, render: ({ line }) => line },
    {
      key: "name",
      label: texts.name,
      heading: true,
      render: ({ id, name, called }) => {
        const isThere = id !== null && !isUndone;
        const known = kind === "users" && isThere ? named?.get(id)?.name : called;
        const shown = <bdi>{known || name || id}</bdi>;
        const first = isThere ? (
          <Link to={kind === "users" ? addressOfPerson(id) : addressOfRoom(id)}>{shown}</Link>
        ) : (
          shown
        );
        if (!known) return first;
        return (
          <>
            {first}
            <span className={`dimmed small ${css.email}`}>
              <bdi>{name}</bdi>
            </span>
          </>
        );
      },
    },
    { key: "plan", label: texts.plan, render: stateOf },
    {
      key: "reason",
      label: texts.reason,
      wide: true,
      render: (line) =>
        reasonOf(line) ?? (
          <FactList facts={factsOf(line)} subject={subjectOfLines(kind)} named={named} />
        ),
    },
  ];
};

/** Why a line is refused, in the page's language; null where it is not. */
const reasonOf = ({ reason, reasons }: ImportLine): string | null =>
  reasons.length === 0
    ? reason
    : showSentences(reasons.map((one) => reasonText(one, one.field) ?? one.message));

/** The people whom a line names: the one that it made or changed, and owners. */
const idsIn = (line: ImportLine, shown: ImportSummary | undefined): readonly string[] => [
  ...(shown?.kind === "users" && line.id !== null ? [line.id] : []),
  ...ownersOfEntry(line),
];

/** Returns whether the page still shows the lines' plans. */
const isPlanned = ({ state }: ImportSummary): boolean => state === "checking" || state === "ready";

/** The words for filtering lines, with their labels. */
const filtersOf = (shown: ImportSummary | undefined) =>
  shown === undefined || isPlanned(shown)
    ? linePlans.map((value) => ({ value, label: texts.plans[value] }))
    : lineOutcomes.map((value) => ({ value, label: texts.outcomes[value] }));

const Counts = ({ shown }: { readonly shown: ImportSummary }) => (
  <div className={css.counts} role="status">
    {isPlanned(shown)
      ? linePlans.map((plan) => (
          <Tag key={plan} tone={tones[plan]}>
            {t.rooms.setTo(texts.plans[plan], showNumber(shown.plan[plan]))}
          </Tag>
        ))
      : lineOutcomes.map((outcome) => (
          <Tag key={outcome} tone={tones[outcome]}>
            {t.rooms.setTo(texts.outcomes[outcome], showNumber(shown.done[outcome]))}
          </Tag>
        ))}
  </div>
);

const ImportProgress = ({ shown }: { readonly shown: ImportSummary }) => {
  const checking = shown.state === "checking";
  const done = sumOf(checking ? shown.plan : shown.done);
  const text = (checking ? texts.checking : texts.running)(done, shown.lines);
  return <Progress done={done} of={shown.lines} text={text} />;
};

/** Undoes a whole import. */
const TakeBack = ({ entry, kind }: { readonly entry: number; readonly kind: ImportKind }) => {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconArrowBackUp size={16} />}
        onClick={() => setAsking(true)}
      >
        {texts.takeBack}
      </Button>
      {asking && (
        <UndoDialog number={entry} subject={subjectOfLines(kind)} onClose={() => setAsking(false)}>
          <p>{t.history.undoWholeHelp}</p>
        </UndoDialog>
      )}
    </>
  );
};

const saveResult = async ({ id: importId, name }: ImportSummary): Promise<void> => {
  const ask = async (page: number, signal: AbortSignal) => {
    const answer = await parley.listImportLines({ importId, page, limit: IMPORT_PAGE }, { signal });
    return { rows: answer.lines, total: answer.pagination.total };
  };
  const idOf = ({ line }: Readonly<Record<string, unknown>>) => line;
  const rows = await collect(ask, idOf, () => {}, new AbortController().signal);
  const columns = ["line", "name", "outcome", "reason", "id"];
  download(`${name || "import"}-result.csv`, toCsv(columns, rows));
};

interface ImportViewProps {
  readonly importId: string;
  readonly onLeft: () => void;
}

/** One import: what its lines would do, its confirmation, its progress and its result. */
export const ImportView = ({ importId, onLeft }: ImportViewProps) => {
  const { state, change, params } = useTableState(NO_SORT);
  const word = params.get("lines") ?? "";
  const plan = linePlans.find((one) => one === word);
  const outcome = plan ? undefined : lineOutcomes.find((one) => one === word);
  const lines = useQuery({
    queryKey: ["imports", importId, state.page, state.limit, word],
    queryFn: ({ signal }) =>
      parley.listImportLines(
        {
          importId,
          page: state.page,
          limit: state.limit,
          ...(plan && { plan }),
          ...(outcome && { outcome }),
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
  const shown = lines.data?.import;
  const named = useNamed((lines.data?.lines ?? []).flatMap((line) => idsIn(line, shown))).data;
  const again = () => void lines.refetch();
  const queries = useQueryClient();
  const { failure, retry } = useWork(shown, (moved) => {
    if (goesOn(moved)) again();
    // Imported data appears in other places too.
    else void queries.invalidateQueries();
  });
  if (lines.isError && !shown) {
    return (
      <div className="card">
        <Failed failure={lines.error} retry={again} />
      </div>
    );
  }
  return (
    <div className="card">
      {shown && (
        <div className={css.head}>
          <Counts shown={shown} />
          {goesOn(shown) && <ImportProgress shown={shown} />}
          <FailureNote
            failure={failure}
            explain={(failed) => (
              <>
                {texts.failed} {sayFailure(failed)}{" "}
                <Button size="compact-sm" variant="default" onClick={retry}>
                  {texts.goOn}
                </Button>
              </>
            )}
          />
          {shown.undoneAt !== null && (
            <Alert variant="light" role="status">
              {texts.undone(showMoment(shown.undoneAt))}
            </Alert>
          )}
          {shown.read !== null && <WasRead facts={shown.read} />}
          {shown.ignored.length > 0 && <p>{texts.ignored(showRow(shown.ignored))}</p>}
          {shown.state === "ready" && (
            <ConfirmForm
              shown={shown}
              onConfirmed={() => change({ lines: "" }, { replace: true })}
              onDiscarded={onLeft}
            />
          )}
          {shown.state === "done" && (
            <div className={css.counts}>
              <Button
                variant="default"
                leftSection={<IconDownload size={16} />}
                onClick={() =>
                  void saveResult(shown).catch((failed: unknown) =>
                    notify({ text: sayFailure(failed), kind: "failed" }),
                  )
                }
              >
                {texts.download}
              </Button>
              {shown.entry !== null && shown.undoneAt === null && (
                <TakeBack entry={shown.entry} kind={shown.kind} />
              )}
              <Button variant="default" leftSection={<IconFileImport size={16} />} onClick={onLeft}>
                {texts.another}
              </Button>
              <Button component={Link} to={shown.kind === "users" ? "/people" : "/rooms"}>
                {texts.toList[shown.kind]}
              </Button>
            </div>
          )}
        </div>
      )}
      <Toolbar>
        <NativeSelect
          aria-label={texts.filter}
          value={plan ?? outcome ?? ""}
          onChange={(event) => change({ lines: event.currentTarget.value })}
          data={[{ value: "", label: texts.everything }, ...filtersOf(shown)]}
        />
      </Toolbar>
      {lines.data?.lines.length === 0 ? (
        <Blank icon={IconSearchOff} title={texts.noMatch} />
      ) : (
        <DataTable
          label={texts.title}
          columns={columnsOf(shown ?? { kind: "users", undoneAt: null }, named)}
          rows={lines.data?.lines}
          idOf={({ line }) => String(line)}
          nameOf={({ name, line }) => name || String(line)}
          stale={lines.isPlaceholderData}
        />
      )}
      {lines.data && lines.data.pagination.total > 0 && (
        <Pager
          pagination={lines.data.pagination}
          what={texts.what}
          onPage={(page) => change({ page })}
          onLimit={(limit) => change({ limit })}
        />
      )}
    </div>
  );
};
