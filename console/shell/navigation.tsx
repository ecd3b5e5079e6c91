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
  IconLogin2,
  IconMail,
  IconMovie,
  IconSettings,
  IconTrash,
  IconUsers,
  IconWebhook,
} from "@tabler/icons-react";
import { type ComponentType, useId } from "react";
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

/** Links under a quiet heading; the first ones stand alone. */
interface LinkGroup {
  readonly heading?: string;
  readonly pages: readonly PageLink[];
}

const { groups } = t.nav;

const administration: readonly LinkGroup[] = [
  { pages: [{ to: "/", label: t.nav.overview, icon: IconLayoutDashboard }] },
  {
    heading: groups.meet,
    pages: [
      { to: "/rooms", label: t.nav.rooms, icon: IconDoor },
      { to: "/meetings", label: t.meetings.title, icon: IconHistory },
      { to: "/recordings", label: t.recordings.title, icon: IconMovie },
    ],
  },
  {
    heading: groups.organization,
    pages: [
      { to: "/people", label: t.nav.people, icon: IconUsers },
      { to: "/import", label: t.imports.title, icon: IconFileImport },
      { to: "/emails", label: t.nav.emails, icon: IconMail },
      { to: "/settings", label: t.settings.title, icon: IconSettings },
      { to: "/sign-in", label: t.providers.title, icon: IconLogin2 },
    ],
  },
  {
    heading: groups.records,
    pages: [
      { to: "/usage", label: t.usage.title, icon: IconChartBar },
      { to: "/history", label: t.history.title, icon: IconListDetails },
      { to: "/bin", label: t.bin.title, icon: IconTrash },
    ],
  },
  {
    heading: groups.programs,
    pages: [
      { to: "/access-keys", label: t.nav.accessKeys, icon: IconKey },
      { to: "/webhooks", label: t.webhooks.title, icon: IconWebhook },
    ],
  },
];
const ownRooms: readonly LinkGroup[] = [
  {
    pages: [
      { to: "/", label: t.nav.myRooms, icon: IconDoor },
      { to: "/meetings", label: t.meetings.title, icon: IconHistory },
      { to: "/recordings", label: t.recordings.title, icon: IconMovie },
    ],
  },
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

const groupsFor = (admin: boolean): readonly LinkGroup[] => (admin ? administration : ownRooms);

/** The pages that the person may open. */
export const pagesFor = (admin: boolean): readonly PageLink[] =>
  groupsFor(admin).flatMap(({ pages }) => pages);

const Page = ({ to, label, icon: Icon }: PageLink) => (
  <li>
    <NavLink to={to} end={to === "/"} className={css.link ?? ""}>
      <Icon size={19} stroke={1.7} aria-hidden />
      {label}
      {to === "/emails" && <Refused />}
    </NavLink>
  </li>
);

/** The reference of the interface, after the last pages. */
const Reference = () => (
  <li>
    <a href={`${base}/docs`} target="_blank" rel="noreferrer" className={css.link}>
      <IconBook2 size={19} stroke={1.7} aria-hidden />
      {t.nav.api}
      <span className="unseen"> ({t.nav.newTab})</span>
      <IconExternalLink size={15} stroke={1.7} aria-hidden className={css.count} />
    </a>
  </li>
);

/** Links to the pages, and the account of the signed-in person. */
export const Navigation = () => {
  const { admin } = useUser();
  const id = useId();
  const groups = groupsFor(admin);
  return (
    <>
      <FindButton />
      <nav aria-label={t.nav.label} className={css.groups}>
        {groups.map(({ heading, pages }) => (
          <div key={heading ?? ""}>
            {heading !== undefined && (
              <p id={`${id}-${heading}`} className={css.heading}>
                {heading}
              </p>
            )}
            <ul
              className={css.links}
              {...(heading !== undefined && { "aria-labelledby": `${id}-${heading}` })}
            >
              {pages.map((page) => (
                <Page key={page.to} {...page} />
              ))}
              {pages === groups.at(-1)?.pages && <Reference />}
            </ul>
          </div>
        ))}
      </nav>
      <AccountMenu />
    </>
  );
};
