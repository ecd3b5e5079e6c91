import { Refusal, refuse } from "../lib/refusal.ts";
import type { Change } from "./organization.ts";

/**
 * Asks for a fresh proof before what cannot be undone. For operations that do so only sometimes: those that
 * always do are refused before their rule runs.
 *
 * @throws Refusal `proof_needed`
 */
export const demandProof = ({ caller }: Pick<Change, "caller">): void => {
  if (caller.owesProof) refuse("proof_needed");
};

/** Returns whether a refusal asks for a proof: it is about the whole request, not about one of many. */
export const asksForProof = (error: unknown): boolean =>
  error instanceof Refusal && error.code === "proof_needed";
