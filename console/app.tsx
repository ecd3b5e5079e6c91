import { QueryClientProvider } from "@tanstack/react-query";
import { useEffect } from "react";
import { RouterProvider } from "react-router";
import { queryClient } from "./data/queries.ts";
import { renew, useSession } from "./data/session.ts";
import { ChoosePasswordPage, isPasswordPage } from "./pages/choose-password.tsx";
import { SignInPage } from "./pages/sign-in.tsx";
import { Notices } from "./parts/notices.tsx";
import { Failed } from "./parts/states.tsx";
import { Themed } from "./parts/themed.tsx";
import { routesFor } from "./routes.tsx";
import { t } from "./texts/index.ts";

const Gate = () => {
  const session = useSession();
  const signedOut = session.state === "signed out";
  // What one person saw is not there for the next.
  useEffect(() => {
    if (signedOut) queryClient.clear();
  }, [signedOut]);
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
      return <RouterProvider router={routesFor(session.user)} />;
  }
};

export const App = () => (
  <Themed>
    <QueryClientProvider client={queryClient}>
      {isPasswordPage() ? <ChoosePasswordPage /> : <Gate />}
      <Notices />
    </QueryClientProvider>
  </Themed>
);
