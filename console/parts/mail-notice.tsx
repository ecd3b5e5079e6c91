import { IconMailOff } from "@tabler/icons-react";
import { useOrganization } from "../data/queries.ts";
import css from "../styles/layout.module.css";
import { t } from "../texts/index.ts";

/** Whether emails leave the service; unknown (undefined) until the organization is loaded. */
export const useMailLeaves = (): boolean | undefined => {
  const mail = useOrganization().data?.mail;
  return mail === undefined ? undefined : mail === "smtp";
};

/** A notice on every page that emails are only written to files, until a mail server is set. */
export const MailNotice = () =>
  useMailLeaves() === false && (
    <div className={css.notice} role="note">
      <IconMailOff size={18} aria-hidden />
      <span>
        {t.mail.before}
        <code>SMTP_URL</code>
        {t.mail.after}
      </span>
    </div>
  );
