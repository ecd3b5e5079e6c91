import type { Answer } from "../world/ask.ts";
import { send } from "../world/ask.ts";

/** A browser as far as redirects and cookies go. */
export interface Browser {
  /** Loads an address, follows redirects, and goes on where a page asks, up to what leads to `until`. */
  open(address: string, until?: (address: string) => boolean): Promise<Page>;
  /** The cookies that are kept, by host. */
  readonly cookies: Map<string, Map<string, string>>;
}

/** Where a browser has come to. */
export interface Page {
  readonly address: string;
  /** Null where it stopped before it asked. */
  readonly answer: Answer | null;
}

const MOST = 12;

/** A new browser without cookies. */
export const newBrowser = (): Browser => {
  const cookies = new Map<string, Map<string, string>>();
  const jarOf = (origin: string): Map<string, string> => {
    const jar = cookies.get(origin) ?? new Map<string, string>();
    cookies.set(origin, jar);
    return jar;
  };
  const load = async (address: string, method: "GET" | "POST" = "GET"): Promise<Answer> => {
    const { origin, pathname, search } = new URL(address);
    const jar = jarOf(origin);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { accept: "text/html", ...(cookie !== "" && { cookie }) };
    const answer = await send(origin, { method, path: pathname + search }, headers);
    for (const set of answer.headers.getSetCookie()) {
      const [pair = ""] = set.split(";", 1);
      const [name = "", ...value] = pair.split("=");
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(set)) jar.delete(name);
      else jar.set(name, value.join("="));
    }
    return answer;
  };
  /** Goes on at the page that asks before a sign-in. @returns where the page goes */
  const goOn = async (address: string): Promise<string> => {
    const { origin, searchParams } = new URL(address);
    const id = searchParams.get("provider") ?? "";
    const begun = await load(`${origin}/api/session/provider/${id}?${searchParams}`, "POST");
    return begun.body.address;
  };
  return {
    cookies,
    async open(address, until = () => false) {
      let here = address;
      for (let steps = 0; steps < MOST; steps += 1) {
        if (until(here)) return { address: here, answer: null };
        if (isQuestion(here)) {
          here = await goOn(here);
          continue;
        }
        const answer = await load(here);
        const to = answer.headers.get("location");
        if (to === null || answer.status < 300 || answer.status > 399) {
          return { address: here, answer };
        }
        here = new URL(to, here).href;
      }
      throw new Error(`More than ${MOST} redirects, the last to ${here}`);
    },
  };
};

/** Returns whether an address is that of the page that asks before a sign-in. */
export const isQuestion = (address: string): boolean =>
  new URL(address).pathname === "/by-provider";

/** Why a page says that its person is not in; "done" where the person is. */
export const outcomeOf = ({ address }: Page): string | null =>
  new URL(address).searchParams.get("signIn");
