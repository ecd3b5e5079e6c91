import { SignalRequest } from "@livekit/protocol";

/** How much a client may still send: each message costs one, and each field that is read costs one. */
export interface MessageBudget {
  left: number;
}

/** A page that shows a hundred people sends far less in five seconds. */
const MOST = 10_000;
const PER_SECOND = 2_000;
/** What a budget of one buys in bytes. */
const BYTES = 1024;

/** The budget of one person, which fills by itself. */
export const openBudget = () => {
  let since = performance.now();
  const budget: MessageBudget = { left: MOST };
  return {
    /** The budget for a message that has just arrived. */
    forMessage(bytes: Uint8Array): MessageBudget {
      const now = performance.now();
      budget.left = Math.min(MOST, budget.left + ((now - since) / 1000) * PER_SECOND);
      budget.left -= bytes.length / BYTES;
      since = now;
      return budget;
    },
  };
};

const { readerFactory } = SignalRequest.runtime.bin.makeReadOptions();

/**
 * The options of `fromBinary` for a client's message. A field that becomes an object takes as little as
 * two bytes, so with a limit of bytes alone one message could hold up the process for seconds.
 *
 * @param budget shrinks with each field, those of nested messages included; reading throws Error once
 *   it is used up
 */
export const withinBudget = (budget: MessageBudget) => {
  const take = (): void => {
    if (budget.left <= 0) throw new Error("The client sends too much.");
    budget.left -= 1;
  };
  return {
    readerFactory: (bytes: Uint8Array) => {
      take();
      const reader = readerFactory(bytes);
      const tag = reader.tag.bind(reader);
      reader.tag = () => {
        take();
        return tag();
      };
      return reader;
    },
  };
};
