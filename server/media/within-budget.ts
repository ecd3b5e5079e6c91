import { SignalRequest } from "@livekit/protocol";
import type { MessageBudget } from "./budget.ts";

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
