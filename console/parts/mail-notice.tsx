import { IconMailOff } from "@tabler/icons-react";
import { useOrganization } from "../data/queries.ts";
import css from "../styles/layout.module.css";
import { t } from "../texts/index.ts";

/** Whether emails leave the service; unknown (undefined) until the organization is loaded. */
export const useMailLeaves = (): boolean | undefined => {
  const mail = useOrganization().data?.mail;
  return mail === undefined ? undefined : mail === "smtp";
};

/**
 * A notice on every page that emails do not leave: because there is no mail server, or because it takes none,
 * with what mends it.
 */
export const MailNotice = () => {
  const { mail, mailProblem } = useOrganization().data ?? {};
  if (mail !== "folder" && mailProblem === undefined) return null;
  return (
    <div className={css.notice} role="note">
      <IconMailOff size={18} aria-hidden />
      {mailProblem === undefined ? (
        <span>
          {t.mail.before}
          <code>SMTP_URL</code>
          {t.mail.after}
        </span>
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
    </div>
  );
};
