import type { ColorScheme } from "../../contract/kit/plain.ts";
import type { Account } from "../../contract/people/account.ts";
import { base } from "./base.ts";
import { parley } from "./client.ts";
import { onSession } from "./session.ts";
import { showIn } from "./show.ts";
import { createStore } from "./store.ts";

/*
 * What the signed-in person has chosen for pages: the time zone and the colors. This browser remembers both,
 * so that a page has them before the service has answered, and so does the page of a meeting.
 */

/** What this browser remembers of the account that used it last. */
export interface Chosen {
  readonly userId: string;
  readonly timeZone: string | null;
  readonly colorScheme: ColorScheme;
}

const KEY = `parley-chosen${base}`;
const nothing: Chosen = { userId: "", timeZone: null, colorScheme: "auto" };

const remembered = (): Chosen => {
  try {
    return { ...nothing, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return nothing; // Storage is blocked, or holds something else.
  }
};

export const chosen = createStore<Chosen>(remembered());
showIn(chosen.get().timeZone);

/** Shows pages as the account says from now on. */
export const choose = ({ id: userId, timeZone, colorScheme }: Account): void => {
  const next: Chosen = { userId, timeZone, colorScheme };
  if (JSON.stringify(next) === JSON.stringify(chosen.get())) return;
  try {
    localStorage.setItem(KEY, JSON.stringify(next));
  } catch {
    // Storage is blocked: the next page asks the service.
  }
  showIn(timeZone);
  chosen.set(next);
};

/** Asks for what a person has chosen when somebody signs in. */
export const followAccount = (): void => {
  let seen: string | undefined;
  onSession((session) => {
    const id = session.state === "signed in" ? session.user.id : undefined;
    if (id === undefined || id === seen) return;
    seen = id;
    // Until it is known, nobody sees pages as somebody else has chosen.
    if (chosen.get().userId !== id) {
      showIn(null);
      chosen.set({ ...nothing, userId: id });
    }
    parley.fetchAccount().then(
      ({ account }) => choose(account),
      () => {}, // The page that needs the service says that it does not answer.
    );
  });
};
