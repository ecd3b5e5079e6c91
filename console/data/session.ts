import { useSyncExternalStore } from "react";
import type { Person } from "../../contract/access.ts";
import { createClient, ParleyError } from "../../contract/client.ts";

/** Whether somebody is signed in. `ended`: the session ended under the open page. */
export type Session =
  | { readonly state: "starting" }
  | { readonly state: "unreachable" }
  | { readonly state: "signed out" }
  | { readonly state: "signed in"; readonly user: Person }
  | { readonly state: "ended"; readonly user: Person };

let session: Session = { state: "starting" };
// In memory only: an injected script could read it from storage.
let token: string | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

const become = (next: Session): void => {
  session = next;
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useSession = (): Session => useSyncExternalStore(subscribe, () => session);

/** Calls back with the session, now and after each change. */
export const onSession = (listener: (now: Session) => void): void => {
  subscribe(() => listener(session));
  listener(session);
};

/** The signed-in person; only for what is shown to one. */
export const useUser = (): Person => {
  const now = useSession();
  if (now.state !== "signed in" && now.state !== "ended") throw new Error("Nobody is signed in");
  return now.user;
};

export const currentToken = (): string | undefined => token;

/** Whose session it is, also when it has ended. */
export const currentUserId = (): string | undefined =>
  "user" in session ? session.user.id : undefined;

/** Sign-in and renewal: no token, no renewal on a 401. */
const door = createClient();
/** Tells the other tabs of this browser about a sign-out. */
const tabs = new BroadcastChannel("parley");
tabs.onmessage = () => leave("signed out");

/** Whether a renewal may succeed: a hint, and no secret. */
const hint = {
  name: "parley-session",
  get: (): boolean => {
    try {
      return localStorage.getItem(hint.name) !== null;
    } catch {
      return true; // storage is forbidden: ask
    }
  },
  set: (signedIn: boolean): void => {
    try {
      if (signedIn) localStorage.setItem(hint.name, "open");
      else localStorage.removeItem(hint.name);
    } catch {
      // Storage is forbidden: every start asks.
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
  const open =
    session.state === "signed in" || session.state === "ended" ? session.user : undefined;
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
    // Somebody signed in while the old cookie was on its way.
    if (token !== before) return true;
    if (failure instanceof ParleyError && [401, 403].includes(failure.status)) leave("ended");
    else if (session.state === "starting") become({ state: "unreachable" });
    return false;
  }
};

/**
 * A new token by the cookie, one renewal at a time.
 *
 * @param refused the token that was answered 401; a newer one, where there is one, is used
 * @returns false when the session has ended
 */
export const renew = (refused?: string): Promise<boolean> => {
  if (session.state === "ended") return Promise.resolve(false);
  if (refused !== undefined && token !== undefined && token !== refused)
    return Promise.resolve(true);
  renewing ??= askForRenewal().finally(() => {
    renewing = undefined;
  });
  return renewing;
};

/** At the start of the page: the session of before a reload, or of another tab. */
export const resume = (): void => {
  if (hint.get()) void renew();
  else become({ state: "signed out" });
};

export const signIn = async (login: string, password: string): Promise<void> => {
  enter(await door.signIn({ login, password }));
};

export const signOut = async (): Promise<void> => {
  const ending = token;
  leave("signed out");
  tabs.postMessage("signed out");
  if (ending !== undefined) await createClient({ token: ending }).signOut();
};
