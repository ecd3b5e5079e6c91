import type { ColorScheme } from "../../contract/kit/plain.ts";
import type { Account } from "../../contract/people/account.ts";
import { base } from "./base.ts";
import { parley } from "./client.ts";
import { followLanguage } from "./language.ts";
import { onSession } from "./session.ts";
import { showIn } from "./show.ts";
import { createStore } from "./store.ts";

/*
 * The signed-in person's time zone, language and colors. This browser remembers them, so that pages, those of
 * meetings too, have them before the service answers.
 */

/** The remembered choices of the account that used this browser last. */
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
    return nothing; // Storage is blocked, or has something else.
  }
};

export const chosen = createStore<Chosen>(remembered());
showIn(chosen.get().timeZone);

/** Applies an account's choices to pages. */
export const applyAccount = ({ id: userId, timeZone, language, colorScheme }: Account): void => {
  followLanguage(language);
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

/** Loads the choices of a person who signs in. */
export const followAccount = (): void => {
  let seen: string | undefined;
  onSession((session) => {
    const id = session.state === "signed in" ? session.user.id : undefined;
    if (id === undefined || id === seen) return;
    seen = id;
    // Until they are known, pages show nobody else's choices.
    if (chosen.get().userId !== id) {
      showIn(null);
      chosen.set({ ...nothing, userId: id });
    }
    parley.fetchAccount().then(
      ({ account }) => applyAccount(account),
      () => {}, // The page that needs the service says that it does not answer.
    );
  });
};
