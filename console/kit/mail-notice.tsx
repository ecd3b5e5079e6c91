import { ActionIcon } from "@mantine/core";
import { IconMailOff, IconX } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Reply } from "../../contract/kit/operation.ts";
import type { getOrganization } from "../../contract/organization/organization.ts";
import { t } from "../texts/index.ts";
import { parley } from "./client.ts";
import css from "./layout.module.css";
import { useOrganization } from "./queries.ts";
import { reasonText } from "./reasons.ts";
import { around } from "./said.tsx";
import { showSentences } from "./show.ts";

/**
 * Returns whether the person has dismissed a notice, on any device; true until this is known, so that the
 * notice does not flash.
 */
const useHiddenNotice = (notice: string | undefined) => {
  const queries = useQueryClient();
  const queryKey = ["hidden notice"];
  const { data } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await parley.fetchAccount({}, { signal })).account.hiddenNotice,
    enabled: notice !== undefined,
  });
  return {
    isHidden: data === undefined || data === notice,
    hide: () => {
      queries.setQueryData(queryKey, notice);
      // Where the service does not answer, this page hides it, and another shows it again.
      parley.editAccount({ hiddenNotice: notice ?? null }).catch(() => {});
    },
  };
};

/** The notice about the missing mail server, as it is dismissed. */
const FOLDER = "mail: folder";

/** Returns whether emails leave the service; undefined until the organization is loaded. */
export const useMailLeaves = (): boolean | undefined => {
  const mail = useOrganization().data?.mail;
  return mail === undefined ? undefined : mail === "smtp";
};

type MailProblem = NonNullable<Reply<typeof getOrganization>["organization"]["mailProblem"]>;

/** The problem with the mail server with its remedy, and the words of the server. */
const sayProblem = ({ cause, lastReason, message, answer }: MailProblem) => {
  const ofCause = (code: string) => ({ code, cause });
  const what = reasonText(lastReason ?? ofCause("mail_server"));
  const remedy = reasonText(ofCause("mail_server_remedy"));
  if (what === undefined || remedy === undefined) return { text: message, answer };
  return { text: showSentences([what, remedy]), answer: lastReason === null ? answer : null };
};

/**
 * A notice on every page that emails do not leave: there is no mail server, or it takes none, with
 * the remedy. An administrator can dismiss it until another one appears.
 */
export const MailNotice = () => {
  const { mail, mailProblem } = useOrganization().data ?? {};
  const notice = mailProblem?.message ?? (mail === "folder" ? FOLDER : undefined);
  const { isHidden, hide } = useHiddenNotice(notice);
  if (notice === undefined || isHidden) return null;
  const problem = mailProblem && sayProblem(mailProblem);
  return (
    <div className={css.notice} role="note">
      <IconMailOff size={18} aria-hidden />
      {problem === undefined ? (
        <span>{around(t.mail.folder, <code>SMTP_URL</code>)}</span>
      ) : (
        <span>
          {showSentences([t.mail.waiting, problem.text])}
          {problem.answer !== null && (
            <>
              {" "}
              {t.mail.answer} <bdi>{problem.answer}</bdi>
            </>
          )}
        </span>
      )}
      <ActionIcon
        className={css.dismiss ?? ""}
        variant="subtle"
        color="gray"
        aria-label={t.mail.putAway}
        onClick={hide}
      >
        <IconX size={16} />
      </ActionIcon>
    </div>
  );
};
