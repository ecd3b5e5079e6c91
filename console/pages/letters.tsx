import { Button, NativeSelect } from "@mantine/core";
import { IconMail, IconSearchOff } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type Letter, letterStates } from "../../contract/organization.ts";
import { parley, sayFailure } from "../data/client.ts";
import { showMoment } from "../data/show.ts";
import { useTableState } from "../data/table-state.ts";
import { useChange } from "../data/use-change.ts";
import { type Column, DataTable } from "../parts/data-table.tsx";
import { notify } from "../parts/notices.tsx";
import { PageHeader } from "../parts/page-header.tsx";
import { Pager } from "../parts/pager.tsx";
import { Blank, Failed } from "../parts/states.tsx";
import { Tag, type Tone } from "../parts/tag.tsx";
import { Toolbar } from "../parts/toolbar.tsx";
import css from "../styles/letters.module.css";
import { t } from "../texts/index.ts";

const tones: Record<Letter["state"], Tone> = {
  waiting: "warn",
  sent: "ok",
  refused: "bad",
  withdrawn: "calm",
};
const NO_SORT = ["created"] as const;
/** Letters move by themselves while they are looked at. */
const AGAIN = 10_000;

const columns = (
  retry: (letter: Letter) => void,
  trying: string | undefined,
): readonly Column<Letter>[] => [
  {
    key: "recipient",
    label: t.letters.recipient,
    heading: true,
    render: ({ recipient, kind }) => (
      <>
        <span className={css.recipient}>{recipient}</span>
        <span className="dimmed small">{t.letters.kinds[kind]}</span>
      </>
    ),
  },
  {
    key: "state",
    label: t.letters.state,
    render: (letter) => (
      <>
        <Tag tone={tones[letter.state]}>{t.letters.states[letter.state]}</Tag>
        {letter.dueAt !== null && letter.attempts > 0 && (
          <span className={`dimmed small ${css.due}`}>
            {t.letters.due(showMoment(letter.dueAt))}
          </span>
        )}
      </>
    ),
  },
  { key: "attempts", label: t.letters.attempts, render: ({ attempts }) => attempts },
  {
    key: "lastError",
    label: t.letters.lastError,
    render: ({ lastError }) => <span className={css.error}>{lastError ?? t.time.never}</span>,
  },
  {
    key: "createdAt",
    label: t.letters.created,
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
          aria-label={t.letters.retryLetter(letter.recipient)}
          onClick={() => retry(letter)}
        >
          {t.letters.retry}
        </Button>
      ),
  },
];

/** What became of the letters; never what they say. */
export const LettersPage = () => {
  const { state, change, params } = useTableState(NO_SORT);
  const only = letterStates.find((one) => one === params.get("state"));
  const letters = useQuery({
    queryKey: ["letters", state.page, state.limit, only],
    queryFn: ({ signal }) =>
      parley.listLetters(
        {
          page: state.page,
          limit: state.limit,
          ...(only === undefined ? {} : { state: only }),
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
    refetchInterval: AGAIN,
  });
  const retry = useChange(parley.retryLetter);
  const shown = letters.data?.letters;

  const again = ({ id, recipient }: Letter): void =>
    retry.mutate(
      { id },
      {
        onSuccess: () => notify({ text: t.letters.retried(recipient) }),
        onError: (failure) => notify({ text: sayFailure(failure), kind: "failed" }),
      },
    );

  return (
    <>
      <PageHeader title={t.letters.title} description={t.letters.description} />
      <div className="card">
        <Toolbar>
          <NativeSelect
            aria-label={t.letters.filter}
            value={only ?? ""}
            onChange={(event) => change({ state: event.currentTarget.value })}
            data={[
              { value: "", label: t.letters.all },
              ...letterStates.map((one) => ({ value: one, label: t.letters.states[one] })),
            ]}
          />
        </Toolbar>
        {letters.isError && !shown ? (
          <Failed failure={letters.error} retry={() => void letters.refetch()} />
        ) : shown?.length === 0 ? (
          only === undefined ? (
            <Blank icon={IconMail} title={t.letters.empty}>
              {t.letters.emptyHelp}
            </Blank>
          ) : (
            <Blank icon={IconSearchOff} title={t.letters.emptyState} />
          )
        ) : (
          <DataTable
            label={t.letters.title}
            columns={columns(again, retry.isPending ? retry.variables.id : undefined)}
            rows={shown}
            idOf={({ id }) => id}
            nameOf={({ recipient }) => recipient}
            stale={letters.isPlaceholderData}
          />
        )}
        {letters.data && letters.data.pagination.total > 0 && (
          <Pager
            pagination={letters.data.pagination}
            what={t.letters.what}
            onPage={(page) => change({ page })}
            onLimit={(limit) => change({ limit })}
          />
        )}
      </div>
    </>
  );
};
