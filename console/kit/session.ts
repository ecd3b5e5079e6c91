import { useSyncExternalStore } from "react";
import { createClient, ParleyError } from "../../contract/client.ts";
import type { WaysIn } from "../../contract/organization/providers.ts";
import type { Person } from "../../contract/people/access.ts";
import type { SignedByPasskey } from "../../contract/people/passkeys.ts";
import { base } from "./base.ts";
import { createStore } from "./store.ts";

/** The state of the sign-in. `ended`: the session ended while the page was open. */
export type Session =
  | { readonly state: "starting" }
  | { readonly state: "unreachable" }
  | { readonly state: "signed out" }
  | { readonly state: "signed in"; readonly user: Person }
  | { readonly state: "ended"; readonly user: Person };

const store = createStore<{ readonly session: Session }>({ session: { state: "starting" } });
// In memory only: an injected script could read it from storage.
let token: string | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

const current = (): Session => store.get().session;
const become = (session: Session): void => store.set({ session });

/** The person of the session, even after it has ended. */
export const currentUser = (): Person | undefined => {
  const session = current();
  return "user" in session ? session.user : undefined;
};

export const useSession = (): Session => useSyncExternalStore(store.subscribe, current);

/** Calls back with the session, now and after each change. */
export const onSession = (listener: (now: Session) => void): void => {
  store.subscribe(() => listener(current()));
  listener(current());
};

/** The signed-in person; for components that need one. */
export const useUser = (): Person => {
  const now = useSession();
  if (now.state !== "signed in" && now.state !== "ended") throw new Error("Nobody is signed in");
  return now.user;
};

export const currentToken = (): string | undefined => token;

/** The ID of the person of the session, even after it has ended. */
export const currentUserId = (): string | undefined => currentUser()?.id;

/** For sign-in and renewal: sends no token, and does not renew on a 401. */
const door = createClient({ retries: 0, baseUrl: base });
/** The callers who wait for a proof that the person is still the one who signed in. */
export const proofAsked = createStore<{
  readonly answer: ((isProven: boolean) => void) | undefined;
}>({ answer: undefined });
let proving: Promise<boolean> | undefined;

/** Asks for such a proof, once at a time. @returns whether it was given */
export const askForProof = (): Promise<boolean> => {
  proving ??= new Promise<boolean>((resolve) => {
    proofAsked.set({ answer: resolve });
  }).finally(() => {
    proving = undefined;
    proofAsked.set({ answer: undefined });
  });
  return proving;
};

/** True if the organization demands a second factor that the person has not set up. */
export const setupNeeded = createStore<{ readonly isNeeded: boolean }>({ isNeeded: false });

/** Notifies the other tabs of this browser of a sign-out. */
const tabs = new BroadcastChannel(`parley${base}`);
tabs.onmessage = () => leave("signed out");

/** Remembers that a renewal may succeed: a hint, not a secret. */
const hint = {
  name: `parley-session${base}`,
  get: (): boolean => {
    try {
      return localStorage.getItem(hint.name) !== null;
    } catch {
      return true; // Storage is blocked: try a renewal.
    }
  },
  set: (signedIn: boolean): void => {
    try {
      if (signedIn) localStorage.setItem(hint.name, "open");
      else localStorage.removeItem(hint.name);
    } catch {
      // Storage is blocked: every start tries a renewal.
    }
  },
};

interface Opened {
  readonly token: string;
  readonly expiresAt: string;
  readonly user: Person;
}

const EARLY = 60_000;

const enter = (opened: Opened): void => {
  setupNeeded.set({ isNeeded: false });
  token = opened.token;
  clearTimeout(timer);
  const left = Date.parse(opened.expiresAt) - Date.now() - EARLY;
  timer = setTimeout(() => void renew(), Math.max(left, EARLY / 2));
  hint.set(true);
  become({ state: "signed in", user: opened.user });
};

const leave = (state: "signed out" | "ended"): void => {
  token = undefined;
  hint.set(false);
  clearTimeout(timer);
  const open = currentUser();
  if (state === "ended" && open !== undefined) become({ state, user: open });
  else become({ state: "signed out" });
};

let renewing: Promise<boolean> | undefined;

const askForRenewal = async (): Promise<boolean> => {
  const before = token;
  try {
    enter(await door.renewSession());
    return true;
  } catch (failure) {
    // A person signed in while the request with the old cookie was on its way.
    if (token !== before) return true;
    if (failure instanceof ParleyError && [401, 403].includes(failure.status)) leave("ended");
    else if (current().state === "starting") become({ state: "unreachable" });
    return false;
  }
};

/**
 * Gets a new token by the cookie, with one renewal at a time.
 *
 * @param refused the token that was answered 401; if there is a newer one, that is used
 * @returns false if the session has ended
 */
export const renew = (refused?: string): Promise<boolean> => {
  if (current().state === "ended") return Promise.resolve(false);
  if (refused !== undefined && token !== undefined && token !== refused)
    return Promise.resolve(true);
  renewing ??= askForRenewal().finally(() => {
    renewing = undefined;
  });
  return renewing;
};

/** How a page is opened on the way back from a provider: `done`, or why somebody is not in. */
const backFromProvider = (): string | null => {
  const url = new URL(location.href);
  const word = url.searchParams.get("signIn");
  if (word === null) return null;
  url.searchParams.delete("signIn");
  history.replaceState(history.state, "", url);
  return word;
};

/** Why the provider did not let this page's person in. */
export let refusedBy: string | undefined;

/** At the start of the page: continues an earlier session, or another tab's. */
export const resume = (): void => {
  const word = backFromProvider();
  if (word !== null && word !== "done") refusedBy = word;
  if (word === "done" || hint.get()) void renew();
  else become({ state: "signed out" });
};

export const startSession = async (login: string, password: string): Promise<void> => {
  enter(await door.signIn({ login, password }));
};

/** The second step of a sign-in, with the ticket of the first one. */
export const finishSession = async (ticket: string, code: string): Promise<void> => {
  enter(await door.signInWithFactor({ ticket, code }));
};

/** The last step of a sign-in whose password must be replaced, with the ticket of the step before. */
export const startWithNewPassword = async (ticket: string, newPassword: string): Promise<void> => {
  enter(await door.signInWithNewPassword({ ticket, newPassword }));
};

/** The options with which the browser asks for a passkey. @param ticket of a first step by the password */
export const passkeyOptions = async (ticket?: string): Promise<Record<string, unknown>> =>
  (await door.askForPasskey({ ticket })).options;

/** Signs in by the signature of a passkey. @param ticket of a first step by the password */
export const startByPasskey = async (passkey: SignedByPasskey, ticket?: string): Promise<void> => {
  enter(await door.signInWithPasskey({ passkey, ticket }));
};

/** The ways in which somebody can sign in. */
export const askWaysIn = (
  asked: Parameters<typeof door.findWaysIn>[0],
  signal?: AbortSignal,
): Promise<WaysIn> => door.findWaysIn(asked, signal && { signal });

/** Begins a sign-in by a provider. @returns where the browser goes */
export const beginByProvider = async (
  id: string,
  asked: { readonly to: string; readonly login: string },
): Promise<string> => {
  const address = `${base}/api/session/provider/${encodeURIComponent(id)}`;
  const answer = await fetch(`${address}?${new URLSearchParams(asked)}`, { method: "POST" });
  return answer.ok ? (await answer.json()).address : `${base}/?signIn=busy`;
};

/** Continues a session that ended here, and began again in another tab. */
export const resumeEnded = async (): Promise<void> => {
  if (current().state !== "ended") return;
  await door.renewSession().then(enter, () => {});
};

/** Takes over a new name of the signed-in person. */
export const renamed = (name: string): void => {
  const session = current();
  if (session.state === "signed in") become({ ...session, user: { ...session.user, name } });
};

export const endSession = async (): Promise<void> => {
  const ending = token;
  leave("signed out");
  tabs.postMessage("signed out");
  if (ending === undefined) return;
  const client = createClient({ retries: 0, baseUrl: base, token: ending });
  // Without an answer nobody is signed in here either.
  const answer = await client.signOutOfProvider().catch(() => undefined);
  if (answer && answer.address !== null) location.assign(answer.address);
};
