import type { CallFailure, EmbedCode } from "../../embed/protocol.ts";
import { ParleyError, sayFailure } from "../../kit/client.ts";

/** Why this page cannot do what the page around it asks. */
export class Unable extends Error {
  readonly code: EmbedCode;

  constructor(code: EmbedCode) {
    super(code);
    this.code = code;
  }
}

/** A failure as the page around this one learns it: the service's own code where it has one. */
export const tellFailure = (failure: unknown): CallFailure => {
  if (failure instanceof Unable) return { code: failure.code, message: failure.message };
  const message = sayFailure(failure);
  if (failure instanceof ParleyError) return { code: failure.code, message };
  return { code: failure instanceof TypeError ? "unreachable" : "failed", message };
};
