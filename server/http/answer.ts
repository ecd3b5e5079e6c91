import { Readable } from "node:stream";
import { aroundEntries, type Operation } from "../../contract/kit/operation.ts";
import { PIECE } from "../db/pieces.ts";

/** An answer that is JSON text already. */
export class JsonText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Checks a caller's rights again. @throws Refusal if they are lost */
export type RightsCheck = () => Promise<unknown>;

/** How long a check of a caller holds while an answer is sent; a short answer needs no other. */
const LOOK_MS = 1_000;

/**
 * The pieces of an answer, each sent as it is read. Slow clients take hours: so the caller is checked again, at most
 * once a second, before a piece is sent. A refusal cuts the answer.
 */
export const whileAllowed = (
  pieces: AsyncIterable<string | Uint8Array>,
  look: RightsCheck,
): Readable => {
  const allowed = async function* () {
    // The request itself checked.
    let lookedAt = performance.now();
    for await (const piece of pieces) {
      if (performance.now() - lookedAt >= LOOK_MS) {
        await look();
        lookedAt = performance.now();
      }
      yield piece;
    }
  };
  // One piece at a time: a buffer of pieces would take twice the memory.
  return Readable.from(allowed(), { highWaterMark: 1 });
};

/** An answer in pieces, each with the current data. */
export abstract class Stream {
  readonly #pieces: AsyncIterable<string | Uint8Array>;
  constructor(pieces: AsyncIterable<string | Uint8Array>) {
    this.#pieces = pieces;
  }

  open(look: RightsCheck): Readable {
    return whileAllowed(this.#pieces, look);
  }
}

/** An answer of JSON text in pieces. */
export class JsonStream extends Stream {}

/** An answer that is a file. */
export class FileStream extends Stream {
  /** Its media type, and the name under which a browser saves it. */
  readonly type: string;
  readonly name: string;
  constructor(pieces: AsyncIterable<string | Uint8Array>, type: string, name: string) {
    super(pieces);
    this.type = type;
    this.name = name;
  }
}

/**
 * A file, piece by piece. Reads the first piece before it answers, so that a failure can still be
 * answered; a later one cuts the connection.
 */
export const fileAnswer = async (
  pieces: AsyncIterable<string | Uint8Array>,
  type: string,
  name: string,
): Promise<FileStream> => {
  const parts = pieces[Symbol.asyncIterator]();
  const first = await parts.next();
  const all = async function* () {
    for (let next = first; !next.done; next = await parts.next()) yield next.value;
  };
  return new FileStream(all(), type, name);
};

/** A room's answer: sends the stored record unchanged. */
export const roomAnswer = ({ type }: Operation, record: string): JsonText =>
  new JsonText(`{"type":${JSON.stringify(type)},"success":true,"roomSetting":${record}}`);

/**
 * A list of JSON texts. Sends a short list whole, with its length, and a long one in pieces. Reads
 * the first piece before it answers, so that a failure can still be answered.
 *
 * @param pieces entries with commas between them
 * @param most how many entries there may be
 * @param more the keys of the answer after the list
 */
export const listAnswer = async (
  operation: Operation,
  pieces: AsyncIterable<string>,
  most: number,
  more?: Readonly<Record<string, unknown>>,
): Promise<JsonText | JsonStream> => {
  const { head, tail } = aroundEntries(operation, more);
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
