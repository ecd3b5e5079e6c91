/*
 * The names of an organization's rooms in memory, in order, and the search among them: in blocks of
 * some hundred names. Each block knows which three bytes may follow one another in it, so that most
 * terms are looked for in few blocks.
 */
import { firstAt } from "../first-at.ts";
import { uuidOf } from "../id.ts";
import { compareUtf8 } from "../utf8.ts";

/** A room as the order of names knows it. */
export interface Named {
  readonly key: string;
  readonly id: string;
}

/** What a name is before a change and after it; undefined where the room is not there. */
export interface Renaming {
  readonly before: Named | undefined;
  readonly after: Named | undefined;
}

/** Which matches of a term are asked for. */
export interface NamesAsked {
  /** Folded, as the keys are. */
  readonly term: string;
  readonly sortOrder: "ASC" | "DESC";
  readonly offset: number;
  readonly size: number;
}

/** How many matches there are in all, and the IDs of those that were asked for. */
export interface NamesFound {
  readonly total: number;
  readonly ids: readonly string[];
}

/** Sorted names, which may be added to at their end, changed and searched. */
export interface Names {
  append(names: readonly Named[]): void;
  /** @throws Error when a name is not there that should be, or is there that should not */
  change(renaming: Renaming): void;
  find(asked: NamesAsked): NamesFound;
}

interface Block {
  readonly last: Named;
  /** The keys in UTF-8, each followed by END. */
  readonly text: Buffer;
  /** Where each key ends in the text. */
  readonly ends: Uint32Array;
  readonly ids: Buffer;
  /** A bit for every three bytes in a row, shared by others. */
  readonly marks: Uint8Array;
}

/** Names in a block; one that has twice as many becomes two. */
const BLOCK = 512;
/** No name contains it (contract/fields.ts, isStorable). */
const END = "\0";
const ID_BYTES = 16;
/** 2 ** 12 bits: with the usual names a tenth of them is set. */
const MARK_BITS = 12;

/** The marks of a text: of every three bytes in a row, which bit stands for them. */
const marksIn = (text: Buffer): number[] => {
  const marks: number[] = [];
  let three = 0;
  for (const [at, byte] of text.entries()) {
    three = ((three << 8) | byte) & 0xff_ff_ff;
    // The upper bits of a product are well mixed (Knuth, The Art of Computer Programming, 6.4).
    if (at >= 2) marks.push(Math.imul(three, 0x9e3779b1) >>> (32 - MARK_BITS));
  }
  return marks;
};

/** As the list by names orders rooms: negative where `a` comes first, 0 where equal. */
export const compareNamed = (a: Named, b: Named): number =>
  compareUtf8(a.key, b.key) || compareUtf8(a.id, b.id);

const blockOf = (names: readonly Named[]): Block => {
  const text = Buffer.from(names.map(({ key }) => key + END).join(""));
  const ends = new Uint32Array(names.length);
  for (let at = 0, end = -1; at < names.length; at += 1) {
    end = text.indexOf(END, end + 1);
    ends[at] = end;
  }
  const marks = new Uint8Array(2 ** MARK_BITS / 8);
  for (const mark of marksIn(text)) marks[mark >> 3] = (marks[mark >> 3] ?? 0) | (1 << (mark & 7));
  const ids = Buffer.from(names.map(({ id }) => id.replaceAll("-", "")).join(""), "hex");
  return { last: names.at(-1) as Named, text, ends, ids, marks };
};

const idAt = ({ ids }: Block, at: number): string =>
  uuidOf(ids.toString("hex", at * ID_BYTES, (at + 1) * ID_BYTES));

const keyAt = ({ text, ends }: Block, at: number): string =>
  text.toString("utf8", at === 0 ? 0 : (ends[at - 1] ?? 0) + END.length, ends[at]);

const namesIn = (block: Block): Named[] =>
  Array.from(block.ends, (_, at) => ({ key: keyAt(block, at), id: idAt(block, at) }));

/** Names in blocks of a size. */
const blocksOf = (names: readonly Named[], size: number): Block[] => {
  const blocks: Block[] = [];
  for (let at = 0; at < names.length; at += size) blocks.push(blockOf(names.slice(at, at + size)));
  return blocks;
};

/** Whether a block may hold a term with these marks. */
const mayHold = (block: Block, marks: readonly number[]): boolean => {
  for (let at = 0; at < marks.length; at += 1) {
    const mark = marks[at] ?? 0;
    if (((block.marks[mark >> 3] ?? 0) & (1 << (mark & 7))) === 0) return false;
  }
  return true;
};

/** Which names of a block contain a term. */
const matchesIn = ({ text, ends }: Block, term: Buffer): number[] => {
  const matches: number[] = [];
  let at = 0;
  for (let found = text.indexOf(term); found >= 0; ) {
    while ((ends[at] ?? 0) < found) at += 1;
    matches.push(at);
    found = text.indexOf(term, ends[at]);
  }
  return matches;
};

/** A list of names, empty at first. */
export const newNames = (): Names => {
  const blocks: Block[] = [];

  /** Changes the block in which a name is or would be. */
  const changeBlock = (name: Named, change: (names: Named[], at: number) => void): void => {
    const behind = firstAt(blocks, ({ last }) => compareNamed(last, name) >= 0);
    const at = Math.max(0, Math.min(behind, blocks.length - 1));
    const block = blocks[at];
    const names = block ? namesIn(block) : [];
    const place = firstAt(names, (one) => compareNamed(one, name) >= 0);
    change(names, place);
    blocks.splice(at, 1, ...blocksOf(names, names.length < 2 * BLOCK ? 2 * BLOCK : BLOCK));
  };

  const isAt = (names: readonly Named[], at: number, { id }: Named): boolean =>
    names[at]?.id === id;

  return {
    append: (names) => {
      blocks.push(...blocksOf(names, BLOCK));
    },
    change({ before, after }) {
      if (before) {
        changeBlock(before, (names, at) => {
          if (!isAt(names, at, before)) throw new Error(`The name of ${before.id} is not known.`);
          names.splice(at, 1);
        });
      }
      if (after) {
        changeBlock(after, (names, at) => {
          if (isAt(names, at, after)) throw new Error(`The name of ${after.id} is known already.`);
          names.splice(at, 0, after);
        });
      }
    },
    find({ term: text, sortOrder, offset, size }) {
      const term = Buffer.from(text);
      const marks = marksIn(term);
      const matching: { readonly block: Block; readonly matches: number }[] = [];
      let total = 0;
      for (const block of blocks) {
        const matches = mayHold(block, marks) ? matchesIn(block, term).length : 0;
        if (matches > 0) matching.push({ block, matches });
        total += matches;
      }
      if (sortOrder === "DESC") matching.reverse();
      const ids: string[] = [];
      let skip = offset;
      for (const { block, matches } of matching) {
        if (ids.length >= size) break;
        if (skip < matches) {
          const all = matchesIn(block, term);
          if (sortOrder === "DESC") all.reverse();
          ids.push(...all.slice(skip, skip + size - ids.length).map((at) => idAt(block, at)));
        }
        skip = Math.max(0, skip - matches);
      }
      return { total, ids };
    },
  };
};
