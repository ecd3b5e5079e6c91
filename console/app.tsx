import { QueryClientProvider } from "@tanstack/react-query";
import { lazy, Suspense, useSyncExternalStore } from "react";
import { RouterProvider } from "react-router";
import { ByProviderPage, isProviderPage } from "./access/by-provider.tsx";
import { ChoosePasswordPage, isPasswordPage } from "./access/choose-password.tsx";
import { SignInPage } from "./access/sign-in.tsx";
import { chosen } from "./kit/account.ts";
import { LinkByHand } from "./kit/copy-link.tsx";
import { dismissAll, Notices } from "./kit/notices.tsx";
import { ProofDialog } from "./kit/proof.tsx";
import { queryClient } from "./kit/queries.ts";
import { currentUserId, onSession, renew, setupNeeded, useSession } from "./kit/session.ts";
import { Failed } from "./kit/states.tsx";
import { Themed } from "./kit/themed.tsx";
import { routesFor } from "./routes.tsx";
import { t } from "./texts/index.ts";

const SetUpPage = lazy(async () => ({
  default: (await import("./account/set-up-page.tsx")).SetUpPage,
}));

// Drops one person's data when another person signs in after a session has ended.
let seenBy: string | undefined;
onSession(() => {
  const user = currentUserId();
  if (user === seenBy) return;
  seenBy = user;
  queryClient.clear();
  dismissAll();
});

const SessionPages = () => {
  const session = useSession();
  const { isNeeded } = useSyncExternalStore(setupNeeded.subscribe, setupNeeded.get);
  const { timeZone } = useSyncExternalStore(chosen.subscribe, chosen.get);
  switch (session.state) {
    case "starting":
      return <div role="status" aria-label={t.signIn.starting} />;
    case "unreachable":
      return (
        <main>
          <Failed failure={new TypeError()} retry={() => void renew()} />
        </main>
      );
    case "signed out":
      return <SignInPage />;
    default:
      if (isNeeded) {
        return (
          <Suspense>
            <SetUpPage />
          </Suspense>
        );
      }
      // Another time zone shows in every date.
      return (
        <RouterProvider key={`${session.user.id} ${timeZone}`} router={routesFor(session.user)} />
      );
  }
};

const Pages = () => {
  if (isPasswordPage()) return <ChoosePasswordPage />;
  return isProviderPage() ? <ByProviderPage /> : <SessionPages />;
};

export const App = () => (
  <Themed>
    <QueryClientProvider client={queryClient}>
      <Pages />
      <LinkByHand />
      <ProofDialog />
      <Notices />
    </QueryClientProvider>
  </Themed>
);
