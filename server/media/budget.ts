import { SignalRequest } from "@livekit/protocol";

/** What somebody may still send: each message takes one, and each field that is read. */
export interface Budget {
  left: number;
}

const { readerFactory } = SignalRequest.runtime.bin.makeReadOptions();

/**
 * The options of `fromBinary` for a message of somebody else. Two bytes are enough for a field that
 * becomes an object: a limit of bytes alone would let one message hold up the process for seconds.
 *
 * @param budget shrinks with each field, also of the messages within the message; reading throws
 *   Error once it is used up
 */
export const within = (budget: Budget) => {
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
