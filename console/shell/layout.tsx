import { ActionIcon, Drawer } from "@mantine/core";
import { IconCloudOff, IconMenu2 } from "@tabler/icons-react";
import { useIsFetching, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import {
  Link,
  type Location,
  Outlet,
  ScrollRestoration,
  useLocation,
  useNavigation,
} from "react-router";
import { Mark, useAccent } from "../kit/brand.tsx";
import css from "../kit/layout.module.css";
import { MailNotice } from "../kit/mail-notice.tsx";
import { useBrand } from "../kit/queries.ts";
import { useSession } from "../kit/session.ts";
import { SessionEnded } from "../kit/sign-in-form.tsx";
import { Scheduling } from "../schedule/scheduling.tsx";
import { t } from "../texts/index.ts";
import { Keys } from "./keys.tsx";
import { Navigation } from "./navigation.tsx";

const subscribeOnline = (listener: () => void) => {
  addEventListener("online", listener);
  addEventListener("offline", listener);
  return () => {
    removeEventListener("online", listener);
    removeEventListener("offline", listener);
  };
};

const Offline = () => {
  const online = useSyncExternalStore(subscribeOnline, () => navigator.onLine);
  const queries = useQueryClient();
  const [was, setWas] = useState(online);
  useEffect(() => {
    if (online && !was) void queries.invalidateQueries();
    setWas(online);
  }, [online, was, queries]);
  return (
    <div role="status">
      {!online && (
        <div className={css.offline}>
          <IconCloudOff size={18} aria-hidden /> {t.states.offline}
        </div>
      )}
    </div>
  );
};

const Home = () => {
  const { data } = useBrand();
  useAccent(data?.brand.accentColor);
  return (
    <Link to="/" className={css.brand}>
      <Mark logo={data?.brand.logo} />
      {data?.brand.logo ? <bdi>{data.name}</bdi> : t.product}
    </Link>
  );
};

/**
 * The key of a page's scroll position. The first page of a tab has the key "default" after each
 * load, whichever page it is: without its address, it would begin where another one was left.
 */
const keyOf = ({ key, pathname }: Location): string => (key === "default" ? pathname : key);

/** The frame of every page. */
export const PageFrame = () => {
  const [open, setOpen] = useState(false);
  const { pathname } = useLocation();
  const session = useSession();
  // The table itself announces long requests to screen readers; this mark is for tests.
  const fetching = useIsFetching() > 0;
  const busy = useNavigation().state !== "idle" || fetching;
  // Opening another page closes the menu.
  useEffect(() => setOpen(false), [pathname]);
  return (
    <>
      <a href="#content" className={css.skip}>
        {t.nav.skip}
      </a>
      <Offline />
      <div className={css.frame} data-busy={busy || undefined}>
        <aside className={css.rail} aria-label={t.product}>
          <Home />
          <Navigation />
        </aside>
        <header className={css.top}>
          <Home />
          <ActionIcon
            variant="subtle"
            color="gray"
            size="xl"
            aria-label={t.nav.open}
            onClick={() => setOpen(true)}
          >
            <IconMenu2 size={22} />
          </ActionIcon>
        </header>
        <main className={css.main} id="content" tabIndex={-1}>
          <MailNotice />
          <Outlet />
        </main>
      </div>
      <Drawer
        opened={open}
        onClose={() => setOpen(false)}
        title={t.product}
        size="17rem"
        closeButtonProps={{ "aria-label": t.nav.close }}
        classNames={{ body: css.drawer ?? "" }}
      >
        <Navigation />
      </Drawer>
      {session.state === "ended" && <SessionEnded user={session.user} />}
      <Keys />
      <Scheduling />
      <ScrollRestoration getKey={keyOf} />
    </>
  );
};
