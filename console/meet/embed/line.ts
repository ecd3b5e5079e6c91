import {
  type Appearance,
  type CallFailure,
  type EmbeddedEvent,
  type FromMeeting,
  hideable,
  PROTOCOL,
  type ToMeeting,
  themes,
} from "../../embed/protocol.ts";

/** A message before its content is checked. */
type Unchecked = { readonly [K in keyof ToMeeting]?: unknown } & {
  readonly [K in "appearance" | "id" | "method" | "input"]?: unknown;
};

/** The looks that another page asks for, as far as they make sense. */
const readAppearance = (given: unknown): Appearance => {
  const { name, theme, hide } = (given ?? {}) as { readonly [K in keyof Appearance]?: unknown };
  return {
    name: typeof name === "string" ? name : "",
    theme: themes.find((one) => one === theme) ?? "auto",
    hide: hideable.filter((one) => Array.isArray(hide) && hide.includes(one)),
  };
};

/** The part of a message's event that the line needs. */
interface Sent {
  readonly source: unknown;
  readonly origin: string;
  readonly data: unknown;
}

interface LineOptions {
  /** The page around this one; nobody else is heard. */
  readonly parent: unknown;
  /** The origins whose pages may embed meetings. */
  readonly origins: readonly string[];
  readonly post: (message: FromMeeting, origin: string) => void;
  readonly appear: (appearance: Appearance) => void;
  /** Does what is called. Returns why it cannot, or nothing. */
  readonly carryOut: (method: unknown, input: unknown) => Promise<CallFailure | undefined>;
  /** The kit is there, and is to hear what happens. */
  readonly onOpen: (tell: (event: EmbeddedEvent) => void) => void;
}

/** Hears the kit in the page around this one, from the first appearance that it sends. */
export const openLine = ({ parent, origins, post, appear, carryOut, onOpen }: LineOptions) => {
  let opened: string | undefined;
  return ({ source, origin, data }: Sent): void => {
    // A browser that obeys the policy of this page has asked for the origin already.
    if (source !== parent || !origins.includes(origin)) return;
    const message = data as Unchecked | null;
    if (message?.parley !== PROTOCOL) return;
    if (message.type === "appearance") {
      appear(readAppearance(message.appearance));
      post({ parley: PROTOCOL, type: "welcome" }, origin);
      if (opened !== undefined) return;
      opened = origin;
      onOpen((event) => post({ parley: PROTOCOL, type: "event", ...event }, origin));
    }
    const { id, method, input } = message;
    if (message.type !== "call" || opened !== origin || typeof id !== "number") return;
    void carryOut(method, input).then((failure) =>
      post({ parley: PROTOCOL, type: "answer", id, failure }, origin),
    );
  };
};
