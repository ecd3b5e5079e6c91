import type { ClaimedLetter } from "./claims.ts";
import type { Outcome } from "./outcome.ts";

/** How many refused letters are remembered. What is forgotten is tried once more. */
const MOST = 1_000;

const forgetOldest = <Key>(known: Map<Key, unknown> | Set<Key>): void => {
  for (const key of known.keys()) {
    if (known.size <= MOST) return;
    known.delete(key);
  }
};

/** An answer without what differs from letter to letter: addresses, domains, numbers of the queue. */
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
 * Decides whose fault a refusal is where its answer does not say. What two recipients are answered, and
 * nobody's letter is accepted between them, is the server's; a letter that is refused again after somebody
 * else's was accepted has only itself to blame.
 */
export class Verdicts {
  /** By recipient, since the last letter that was accepted. */
  readonly #refused = new Map<string, Refused>();
  /** The letters that were refused before somebody else's was accepted. */
  readonly #alone = new Set<string>();

  /** What an outcome means, after those of other letters. */
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
