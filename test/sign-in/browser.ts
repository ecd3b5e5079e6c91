import type { Answer } from "../world/ask.ts";
import { send } from "../world/ask.ts";

/** A browser as far as redirects and cookies go. */
export interface Browser {
  /** Loads an address and follows redirects, up to one that leads to `until`. */
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
  const load = async (address: string): Promise<Answer> => {
    const { origin, pathname, search } = new URL(address);
    const jar = jarOf(origin);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { accept: "text/html", ...(cookie !== "" && { cookie }) };
    const answer = await send(origin, { method: "GET", path: pathname + search }, headers);
    for (const set of answer.headers.getSetCookie()) {
      const [pair = ""] = set.split(";", 1);
      const [name = "", ...value] = pair.split("=");
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(set)) jar.delete(name);
      else jar.set(name, value.join("="));
    }
    return answer;
  };
  return {
    cookies,
    async open(address, until = () => false) {
      let here = address;
      for (let steps = 0; steps < MOST; steps += 1) {
        if (until(here)) return { address: here, answer: null };
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

/** Why a page says that its person is not in; "done" where the person is. */
export const outcomeOf = ({ address }: Page): string | null =>
  new URL(address).searchParams.get("signIn");
