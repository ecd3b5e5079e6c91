import { Readable } from "node:stream";
import type { Operation } from "../../contract/operation.ts";
import { PIECE } from "../db/pieces.ts";

/** An answer that is JSON text already. */
export class JsonText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** An answer of JSON text in pieces, sent as they are read. */
export class JsonStream {
  readonly stream: Readable;
  constructor(pieces: AsyncIterable<string>) {
    // Pieces stay as they are until they are written: buffers between would take twice the memory.
    this.stream = Readable.from(pieces, { highWaterMark: 1 });
  }
}

/** A room's answer: its stored record is sent as it is. */
export const roomAnswer = ({ type }: Operation, record: string): JsonText =>
  new JsonText(`{"type":${JSON.stringify(type)},"success":true,"roomSetting":${record}}`);

/**
 * A list of JSON texts between a head and a tail. A short list is sent whole, with its length; a
 * long one piece by piece. The first piece is read before anything is answered, so that a failure
 * is still answered as one.
 *
 * @param pieces entries with commas between them
 * @param most how many entries there may be
 */
export const listAnswer = async (
  head: string,
  pieces: AsyncIterable<string>,
  tail: string,
  most: number,
): Promise<JsonText | JsonStream> => {
  const entries = pieces[Symbol.asyncIterator]();
  const first = await entries.next();
  if (first.done) return new JsonText(head + tail);
  if (most <= PIECE) return new JsonText(head + first.value + tail);
  const rest = async function* () {
    yield head + first.value;
    for (let next = await entries.next(); !next.done; next = await entries.next()) {
      yield `,${next.value}`;
    }
    yield tail;
  };
  return new JsonStream(rest());
};
