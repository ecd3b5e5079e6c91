import { Button, Stack } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import type { WaysIn } from "../../contract/organization/providers.ts";
import { t } from "../texts/index.ts";
import { base, pathHere } from "./base.ts";
import { askWaysIn, resumeEnded } from "./session.ts";
import css from "./ways-in.module.css";

/** A value in a storage of the browser, which may be blocked. */
const kept = (storage: () => Storage, name: string) => ({
  get: (): string | undefined => {
    try {
      return storage().getItem(name) ?? undefined;
    } catch {
      return undefined;
    }
  },
  set: (value: string): void => {
    try {
      storage().setItem(name, value);
    } catch {
      // The page asks again next time.
    }
  },
});

/** The organization by whose provider somebody has chosen to sign in, in this browser. */
export const rememberedOrganization = kept(() => localStorage, `parley-organization${base}`);
/** The login that was sent to its provider: after a way back, a password may be typed. */
const sent = kept(() => sessionStorage, `parley-sent${base}`);

/**
 * The organization of this page: that of its room, of its address, or the one that was chosen last. The one of
 * an address is not kept, because the link may be a foreign page's.
 */
const organizationHere = (
  room: string | undefined,
): { readonly organization?: string; readonly room?: string } => {
  const named = new URLSearchParams(location.search).get("organization") ?? undefined;
  const known = named ?? rememberedOrganization.get();
  return {
    ...(known !== undefined && { organization: known }),
    ...(room !== undefined && { room }),
  };
};

/** The page that begins a sign-in by a provider, which comes back to this page. */
const addressOf = (id: string, login: string): string => {
  const here = new URLSearchParams(location.search);
  here.delete("signIn");
  const search = here.size === 0 ? "" : `?${here}`;
  const to = `${pathHere()}${search}${location.hash}`;
  const query = new URLSearchParams({ provider: id, to });
  if (login.includes("@")) query.set("login", login);
  return `${base}/by-provider?${query}`;
};

/** By what somebody can sign in, with the organization, and why that is not known. */
export const useAskedWays = (asked: Parameters<typeof askWaysIn>[0]) => {
  const [ways, setWays] = useState<WaysIn>();
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => {
    const stop = new AbortController();
    askWaysIn({ ...asked, withOrganization: "true" }, stop.signal).then(
      setWays,
      (failed: unknown) => {
        if (!stop.signal.aborted) setFailure(failed);
      },
    );
    return () => stop.abort();
  }, [JSON.stringify(asked)]);
  return { ways, failure };
};

/** By what somebody can sign in here. @param room the code of the room to which the page belongs */
export const useWaysIn = (room: string | undefined) => {
  const { ways } = useAskedWays(organizationHere(room));
  return {
    providers: ways?.providers ?? [],
    organization: ways?.organization,
    /** Until the answer has come, a password may be typed. */
    password: ways?.password ?? true,
    /** Sends somebody to the provider that speaks for their email address. @returns whether it does */
    sendOn: async (login: string): Promise<boolean> => {
      if (ways === undefined || ways.providers.length === 0 || !login.includes("@")) return false;
      if (sent.get() === login && ways.password) return false;
      const found = await askWaysIn({ login, ...organizationHere(room) }).catch(() => undefined);
      if (!found?.sentTo) return false;
      sent.set(login);
      location.assign(addressOf(found.sentTo, login));
      return true;
    },
  };
};

interface ProviderButtonsProps {
  readonly providers: WaysIn["providers"];
  readonly organization: WaysIn["organization"];
  readonly login: string;
  /** True if the page must stay open, with what is typed in it. */
  readonly stays: boolean;
  /** True if there is a password form beside them. */
  readonly beside: boolean;
}

/** The buttons that lead to the organization's providers. */
export const ProviderButtons = (props: ProviderButtonsProps) => {
  const { providers, organization, login, stays, beside } = props;
  const left = useRef(false);
  useEffect(() => {
    if (!stays) return;
    // Back from the other tab.
    const look = () => {
      if (left.current) void resumeEnded();
    };
    addEventListener("focus", look);
    return () => removeEventListener("focus", look);
  }, [stays]);
  if (providers.length === 0) return null;
  return (
    <Stack gap="sm">
      {organization && (
        <p className="dimmed small">
          <bdi>{organization.name}</bdi>
        </p>
      )}
      {providers.map(({ id, name }) => (
        <Button
          key={id}
          component="a"
          href={addressOf(id, login)}
          {...(stays && { target: "_blank", rel: "noreferrer" })}
          variant={beside ? "default" : "filled"}
          fullWidth
          onClick={() => {
            left.current = true;
            if (organization) rememberedOrganization.set(organization.id);
          }}
        >
          {t.signIn.by(name)}
        </Button>
      ))}
      {beside && <p className={`dimmed small ${css.or}`}>{t.signIn.or}</p>}
    </Stack>
  );
};
