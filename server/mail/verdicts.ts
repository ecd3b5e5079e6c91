import type { ClaimedLetter } from "./claims.ts";
import type { Outcome } from "./outcome.ts";

/** How many refused letters are remembered. A forgotten one is tried once more. */
const MOST = 1_000;

const forgetOldest = <Key>(known: Map<Key, unknown> | Set<Key>): void => {
  for (const key of known.keys()) {
    if (known.size <= MOST) return;
    known.delete(key);
  }
};

/** An answer without what differs between letters: addresses, domains, queue numbers. */
const shapeOf = (answer: string): string =>
  answer
    .toLowerCase()
    .split(" ")
    .filter((word, n) => (n < 2 && /^[\d.-]+$/.test(word)) || !/[\d@<[]|\w\.\w/.test(word))
    .join(" ");

interface Refused {
  readonly letter: string;
  readonly shape: string;
}

/**
 * Decides whose fault an unclear refusal is. An answer that two recipients got, with nobody
 * accepted in between, is about the server; a letter refused again after another recipient's was
 * accepted is itself at fault.
 */
export class Verdicts {
  /** By recipient, since the last accepted letter. */
  readonly #refused = new Map<string, Refused>();
  /** Letters that were refused before another recipient's was accepted. */
  readonly #alone = new Set<string>();

  /** The meaning of an outcome after those of other letters. */
  weigh(letter: Pick<ClaimedLetter, "id" | "recipient">, outcome: Outcome): Outcome {
    if (outcome.kind === "sent") this.#accept(letter);
    const isDoubtful =
      outcome.kind === "refused"
        ? !outcome.isClear
        : outcome.kind === "unreachable" && outcome.ofLetter;
    if (!isDoubtful || !("error" in outcome)) return outcome;
    const { error } = outcome;
    if (this.#alone.has(letter.id)) {
      return outcome.kind === "refused" ? outcome : { kind: "failed", error };
    }
    const shape = shapeOf(error);
    const isOthers = this.#refused
      .entries()
      .some(([recipient, one]) => recipient !== letter.recipient && one.shape === shape);
    this.#refused.set(letter.recipient, { letter: letter.id, shape });
    forgetOldest(this.#refused);
    if (outcome.kind === "unreachable") return outcome;
    return isOthers
      ? { kind: "unreachable", error, cause: "refused", isRefusal: true, ofLetter: true }
      : { kind: "failed", error };
  }

  #accept({ id, recipient }: Pick<ClaimedLetter, "id" | "recipient">): void {
    for (const [other, { letter }] of this.#refused) {
      if (other !== recipient) this.#alone.add(letter);
    }
    this.#refused.clear();
    this.#alone.delete(id);
    forgetOldest(this.#alone);
  }
}
