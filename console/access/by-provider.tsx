import { Button, Stack, Text } from "@mantine/core";
import { useEffect } from "react";
import { base, pathHere } from "../kit/base.ts";
import { FailureNote } from "../kit/failure-note.tsx";
import { beginByProvider, useSession } from "../kit/session.ts";
import { useSubmit } from "../kit/use-submit.ts";
import { rememberedOrganization, useAskedWays } from "../kit/ways-in.tsx";
import { t } from "../texts/index.ts";
import { CardPage } from "./card-page.tsx";

const texts = t.signIn.asked;

/** The address to which buttons of providers, and links of portals, lead. */
export const isProviderPage = (): boolean => pathHere() === "/by-provider";

/**
 * Begins a sign-in by a provider. The link may be a foreign page's, which could sign somebody in to an
 * account of its own: so it asks, unless nobody is signed in and this browser has chosen the organization
 * before.
 */
export const ByProviderPage = () => {
  const query = new URLSearchParams(location.search);
  const provider = query.get("provider") ?? "";
  const session = useSession();
  const { ways, failure: unasked } = useAskedWays({ provider });
  const [way] = ways?.providers ?? [];
  const organization = ways?.organization;

  const going = useSubmit(async () => {
    if (organization) rememberedOrganization.set(organization.id);
    const asked = { to: query.get("to") ?? "/", login: query.get("login") ?? "" };
    location.replace(await beginByProvider(provider, asked));
  });
  const isExpected =
    session.state === "signed out" &&
    organization !== undefined &&
    organization.id === rememberedOrganization.get();
  useEffect(() => {
    if (isExpected) void going.submit();
  }, [isExpected]);
  const failure = unasked ?? going.failure;

  if (failure === undefined && (ways === undefined || session.state === "starting" || isExpected)) {
    return <div role="status" aria-label={t.signIn.starting} />;
  }
  return (
    <CardPage title={organization ? texts.title(organization.name) : t.signIn.title}>
      <Stack gap="md">
        <FailureNote failure={failure} />
        {way === undefined ? (
          failure === undefined && (
            <Text size="sm" role="alert">
              {t.signIn.refused.ended}
            </Text>
          )
        ) : (
          <>
            <Text size="sm">{texts.help}</Text>
            {"user" in session && <Text size="sm">{texts.signedIn(session.user.name)}</Text>}
            <Button loading={going.busy} onClick={() => void going.submit()}>
              {t.signIn.by(way.name)}
            </Button>
          </>
        )}
        <Button component="a" href={`${base}/`} variant="default">
          {texts.stay}
        </Button>
      </Stack>
    </CardPage>
  );
};
