import { Button, NativeSelect } from "@mantine/core";
import { IconMail } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { type Letter, letterStates } from "../../contract/organization/organization.ts";
import { addressOfPerson } from "../columns/person-columns.tsx";
import { parley, sayFailure } from "../kit/client.ts";
import { type Column, DataTable } from "../kit/data-table.tsx";
import { useMailLeaves } from "../kit/mail-notice.tsx";
import { notify } from "../kit/notices.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { Pager } from "../kit/pager.tsx";
import { useOrganization } from "../kit/queries.ts";
import { lastErrorText } from "../kit/reasons.ts";
import { SearchBox } from "../kit/search-box.tsx";
import { showMoment } from "../kit/show.ts";
import { Blank, Failed, NoMatch } from "../kit/states.tsx";
import { useTableState } from "../kit/table-state.ts";
import { Tag, type Tone } from "../kit/tag.tsx";
import { Toolbar } from "../kit/toolbar.tsx";
import { useChange } from "../kit/use-change.ts";
import { t } from "../texts/index.ts";
import css from "./emails.module.css";

const tones: Record<Letter["state"], Tone> = {
  waiting: "warn",
  sent: "ok",
  refused: "bad",
  withdrawn: "calm",
};
const NO_SORT = ["created"] as const;
/** Emails change state while the list is open. */
const AGAIN = 10_000;

interface ColumnsOf {
  readonly retry: (letter: Letter) => void;
  readonly trying: string | undefined;
  /** True if emails leave the service; otherwise they are only files. */
  readonly leaves: boolean;
}

/** An older version did not store where an email went: the current setting counts. */
const isFile = ({ state, sentTo }: Letter, leaves: boolean): boolean =>
  state === "sent" && (sentTo === null ? !leaves : sentTo === "file");

const columns = ({ retry, trying, leaves }: ColumnsOf): readonly Column<Letter>[] => [
  {
    key: "recipient",
    label: t.emails.recipient,
    heading: true,
    render: ({ recipient, kind, userId }) => (
      <>
        {userId === null ? (
          <span className={css.recipient}>
            <bdi>{recipient}</bdi>
          </span>
        ) : (
          <Link to={addressOfPerson(userId)} className={css.recipient}>
            <bdi>{recipient}</bdi>
          </Link>
        )}
        <span className="dimmed small">{t.emails.kinds[kind]}</span>
      </>
    ),
  },
  {
    key: "state",
    label: t.emails.state,
    render: (letter) => (
      <>
        <Tag tone={tones[letter.state]}>
          {isFile(letter, leaves) ? t.emails.written : t.emails.states[letter.state]}
        </Tag>
        {letter.dueAt !== null && letter.attempts > 0 && (
          <span className={`dimmed small ${css.due}`}>
            {t.emails.due(showMoment(letter.dueAt))}
          </span>
        )}
      </>
    ),
  },
  { key: "attempts", label: t.emails.attempts, minor: true, render: ({ attempts }) => attempts },
  {
    key: "lastError",
    label: t.emails.lastError,
    render: (letter) => (
      <span className={css.error}>
        <bdi>{lastErrorText(letter) ?? t.time.never}</bdi>
      </span>
    ),
  },
  {
    key: "createdAt",
    label: t.emails.created,
    render: ({ createdAt }) => <time dateTime={createdAt}>{showMoment(createdAt)}</time>,
  },
  {
    key: "retry",
    label: "",
    render: (letter) =>
      letter.state === "refused" && (
        <Button
          size="compact-sm"
          variant="default"
          loading={trying === letter.id}
          aria-label={t.emails.retryEmail(letter.recipient)}
          onClick={() => retry(letter)}
        >
          {t.emails.retry}
        </Button>
      ),
  },
];

/** The state of each email, without its content. */
export const EmailsPage = () => {
  const { state, change, params } = useTableState(NO_SORT);
  const only = letterStates.find((one) => one === params.get("state"));
  const letters = useQuery({
    queryKey: ["letters", state.page, state.limit, state.search, only],
    queryFn: ({ signal }) =>
      parley.listLetters(
        {
          page: state.page,
          limit: state.limit,
          search: state.search,
          ...(only === undefined ? {} : { state: only }),
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
    refetchInterval: AGAIN,
  });
  const retry = useChange(parley.retryLetter);
  const retryAll = useChange(parley.retryLetters);
  const refused = useOrganization().data?.letters.refused ?? 0;
  const leaves = useMailLeaves() !== false;
  const shown = letters.data?.letters;

  const onError = (failure: Error): void => notify({ text: sayFailure(failure), kind: "failed" });
  const again = ({ id, recipient }: Letter): void =>
    retry.mutate(
      { id },
      { onSuccess: () => notify({ text: t.emails.retried(recipient) }), onError },
    );
  const allAgain = (): void =>
    retryAll.mutate(
      {},
      { onSuccess: ({ retried }) => notify({ text: t.emails.retriedAll(retried) }), onError },
    );

  return (
    <>
      <PageHeader title={t.emails.title} description={t.emails.description} />
      <div className="card">
        <Toolbar
          search={
            <SearchBox
              label={t.emails.searchLabel}
              placeholder={t.emails.searchHint}
              value={state.search}
              onSearch={(search) => change({ search }, { replace: true })}
            />
          }
        >
          <NativeSelect
            aria-label={t.emails.filter}
            value={only ?? ""}
            onChange={(event) => change({ state: event.currentTarget.value })}
            data={[
              { value: "", label: t.emails.all },
              ...letterStates.map((one) => ({
                value: one,
                label: one === "sent" ? t.emails.sentOrWritten : t.emails.states[one],
              })),
            ]}
          />
          {refused > 0 && (
            <Button variant="default" loading={retryAll.isPending} onClick={allAgain}>
              {t.emails.retryAll}
            </Button>
          )}
        </Toolbar>
        {letters.isError && !shown ? (
          <Failed failure={letters.error} retry={() => void letters.refetch()} />
        ) : shown?.length === 0 ? (
          only === undefined && state.search === "" ? (
            <Blank icon={IconMail} title={t.emails.empty}>
              {t.emails.emptyHelp}
            </Blank>
          ) : (
            <NoMatch
              title={t.emails.noMatch}
              help={t.emails.noMatchHelp}
              clear={() => change({ search: "", state: "" })}
            />
          )
        ) : (
          <DataTable
            label={t.emails.title}
            columns={columns({
              retry: again,
              trying: retry.isPending ? retry.variables.id : undefined,
              leaves,
            })}
            rows={shown}
            idOf={({ id }) => id}
            nameOf={({ recipient }) => recipient}
            stale={letters.isPlaceholderData}
          />
        )}
        {letters.data && letters.data.pagination.total > 0 && (
          <Pager
            pagination={letters.data.pagination}
            what={t.emails.what}
            onPage={(page) => change({ page })}
            onLimit={(limit) => change({ limit })}
          />
        )}
      </div>
    </>
  );
};
