import { ActionIcon } from "@mantine/core";
import { IconMailOff, IconX } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { t } from "../texts/index.ts";
import { parley } from "./client.ts";
import css from "./layout.module.css";
import { useOrganization } from "./queries.ts";
import { around } from "./said.tsx";

/**
 * Whether the person has dismissed a notice, on any device; true until this is known, so that the
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
      void parley.editAccount({ hiddenNotice: notice ?? null });
    },
  };
};

/** The notice about the missing mail server, as it is dismissed. */
const FOLDER = "mail: folder";

/** Whether emails leave the service; undefined until the organization is loaded. */
export const useMailLeaves = (): boolean | undefined => {
  const mail = useOrganization().data?.mail;
  return mail === undefined ? undefined : mail === "smtp";
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
  return (
    <div className={css.notice} role="note">
      <IconMailOff size={18} aria-hidden />
      {mailProblem === undefined ? (
        <span>{around(t.mail.folder, <code>SMTP_URL</code>)}</span>
      ) : (
        <span>
          {t.mail.waiting} {mailProblem.message}
          {mailProblem.answer !== null && (
            <>
              {" "}
              {t.mail.answer} <bdi>{mailProblem.answer}</bdi>
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
