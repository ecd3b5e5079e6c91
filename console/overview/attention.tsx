import { Skeleton } from "@mantine/core";
import { IconCircleCheck } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useRecordings } from "../data/recordings.ts";
import { type OrganizationRecord, useOrganization } from "../kit/queries.ts";
import { around } from "../kit/said.tsx";
import { dayOf, fromLocal } from "../kit/show.ts";
import type { Tone } from "../kit/tag.tsx";
import { EngineNote } from "../rooms/engine-note.tsx";
import { t } from "../texts/index.ts";
import css from "./overview.module.css";
import { OverviewPanel } from "./panel.tsx";

const texts = t.overview.attention;
const DAY_MS = 86_400_000;
/** For how many days a failed recording is news. */
const NEWS_DAYS = 7;

/** How many recordings failed lately; undefined until this is known. */
const useFailed = (): number | undefined => {
  const day = dayOf(new Date(Date.now() - NEWS_DAYS * DAY_MS).toISOString());
  const from = fromLocal(`${day}T00:00`) ?? undefined;
  return useRecordings({ page: 1, limit: 10, state: "failed", from }).data?.pagination.total;
};

interface Matter {
  readonly tone: Tone;
  readonly text: ReactNode;
  /** The page with the remedy. */
  readonly at?: { readonly to: string; readonly label: string };
}

const NoRecorder = () => (
  <span role="note">{around(t.recordings.overview.noRecorder, <code>parley doctor</code>)}</span>
);

const mattersOf = (organization: OrganizationRecord, failed: number): readonly Matter[] => {
  const { letters, mailProblem, recorder, recordings, media } = organization;
  const isHeld = mailProblem !== undefined && letters.waiting > 0;
  const emails = (state: string) => ({ to: `/emails?state=${state}`, label: texts.seeEmails });
  const matters: readonly (Matter | false)[] = [
    letters.refused > 0 && {
      tone: "bad",
      text: texts.refused(letters.refused),
      at: emails("refused"),
    },
    isHeld && { tone: "bad", text: texts.held(letters.waiting), at: emails("waiting") },
    failed > 0 && {
      tone: "bad",
      text: texts.failed(failed, NEWS_DAYS),
      at: { to: "/recordings?state=failed", label: texts.seeRecordings },
    },
    recordings.waiting > 0 && { tone: "warn", text: texts.moving(recordings.waiting) },
    recordings.erasing > 0 && { tone: "warn", text: texts.erasing(recordings.erasing) },
    recorder === "missing" && { tone: "warn", text: <NoRecorder /> },
    media === "direct" && { tone: "warn", text: <EngineNote /> },
  ];
  return matters.filter((matter) => matter !== false);
};

/** The problems that need an administrator. */
export const Attention = () => {
  const { data } = useOrganization();
  const failed = useFailed();
  const matters = data && failed !== undefined ? mattersOf(data, failed) : undefined;
  return (
    <OverviewPanel title={texts.title}>
      {matters === undefined ? (
        <Skeleton height={48} />
      ) : matters.length === 0 ? (
        <p className={css.fine}>
          <IconCircleCheck size={18} aria-hidden /> {texts.nothing}
        </p>
      ) : (
        <ul className={css.matters}>
          {matters.map(({ tone, text, at }, n) => (
            <li key={n} data-tone={tone}>
              {text}
              {at && (
                <>
                  {" "}
                  <Link to={at.to}>{at.label}</Link>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
    </OverviewPanel>
  );
};
