import {
  IconBook2,
  IconChartBar,
  IconDoor,
  IconExternalLink,
  IconFileImport,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconListDetails,
  IconMail,
  IconMovie,
  IconSettings,
  IconTrash,
  IconUsers,
  IconWebhook,
} from "@tabler/icons-react";
import type { ComponentType } from "react";
import { NavLink } from "react-router";
import { base } from "../kit/base.ts";
import css from "../kit/layout.module.css";
import { useOrganization } from "../kit/queries.ts";
import { useUser } from "../kit/session.ts";
import { Tag } from "../kit/tag.tsx";
import { t } from "../texts/index.ts";
import { AccountMenu } from "./account-menu.tsx";
import { FindButton } from "./find-button.tsx";

interface PageLink {
  readonly to: string;
  readonly label: string;
  readonly icon: ComponentType<{
    readonly size?: number;
    readonly stroke?: number;
    readonly "aria-hidden"?: boolean;
  }>;
}

const administration: readonly PageLink[] = [
  { to: "/", label: t.nav.overview, icon: IconLayoutDashboard },
  { to: "/rooms", label: t.nav.rooms, icon: IconDoor },
  { to: "/meetings", label: t.meetings.title, icon: IconHistory },
  { to: "/recordings", label: t.recordings.title, icon: IconMovie },
  { to: "/people", label: t.nav.people, icon: IconUsers },
  { to: "/usage", label: t.usage.title, icon: IconChartBar },
  { to: "/import", label: t.imports.title, icon: IconFileImport },
  { to: "/history", label: t.history.title, icon: IconListDetails },
  { to: "/access-keys", label: t.nav.accessKeys, icon: IconKey },
  { to: "/emails", label: t.nav.emails, icon: IconMail },
  { to: "/bin", label: t.bin.title, icon: IconTrash },
  { to: "/webhooks", label: t.webhooks.title, icon: IconWebhook },
  { to: "/settings", label: t.settings.title, icon: IconSettings },
];
const ownRooms: readonly PageLink[] = [
  { to: "/", label: t.nav.myRooms, icon: IconDoor },
  { to: "/meetings", label: t.meetings.title, icon: IconHistory },
  { to: "/recordings", label: t.recordings.title, icon: IconMovie },
];

const Refused = () => {
  const refused = useOrganization().data?.letters.refused ?? 0;
  return refused === 0 ? null : (
    <span className={css.count}>
      <Tag tone="bad">
        <span aria-hidden>{refused}</span>
        <span className="unseen">{t.nav.refused(refused)}</span>
      </Tag>
    </span>
  );
};

/** The pages that somebody may open. */
export const pagesFor = (admin: boolean): readonly PageLink[] =>
  admin ? administration : ownRooms;

/** Links to the pages, and the account of the signed-in person. */
export const Navigation = () => {
  const { admin } = useUser();
  return (
    <>
      <FindButton />
      <nav aria-label={t.nav.label}>
        <ul className={css.links}>
          {pagesFor(admin).map(({ to, label, icon: Icon }) => (
            <li key={to}>
              <NavLink to={to} end={to === "/"} className={css.link ?? ""}>
                <Icon size={19} stroke={1.7} aria-hidden />
                {label}
                {to === "/emails" && <Refused />}
              </NavLink>
            </li>
          ))}
          <li>
            <a href={`${base}/docs`} target="_blank" rel="noreferrer" className={css.link}>
              <IconBook2 size={19} stroke={1.7} aria-hidden />
              {t.nav.api}
              <span className="unseen"> ({t.nav.newTab})</span>
              <IconExternalLink size={15} stroke={1.7} aria-hidden className={css.count} />
            </a>
          </li>
        </ul>
      </nav>
      <div className={css.grow} />
      <AccountMenu />
    </>
  );
};
