import {
  phraseOf,
  type Reason,
  type ReasonCode,
  reason,
  type Values,
} from "../../../contract/kit/reasons.ts";

/**
 * A file that cannot be read as a whole. The message is a phrase that follows "The file" or a
 * field's name.
 */
export class FileFault extends Error {
  override readonly name = "FileFault";
  readonly reason: Reason;

  constructor(why: Reason) {
    super(phraseOf(why));
    this.reason = why;
  }
}

/** Stops reading a file. @throws FileFault always */
export const refuseFile = <C extends ReasonCode>(code: C, ...values: Values<C>): never => {
  throw new FileFault(reason(code, ...values) as Reason);
};
