import type { Code } from "../../contract/kit/texts.ts";

/** The kind of mistake in a request (RFC 7644, 3.12). */
export type ScimType =
  | "invalidFilter"
  | "uniqueness"
  | "mutability"
  | "invalidSyntax"
  | "invalidPath"
  | "noTarget"
  | "invalidValue";

/** A request that SCIM refuses, with the parts of its answer. */
export class ScimRefused extends Error {
  override readonly name = "ScimRefused";
  readonly status: number;
  readonly scimType: ScimType | undefined;

  constructor(status: number, scimType: ScimType | undefined, detail: string) {
    super(detail);
    this.status = status;
    this.scimType = scimType;
  }
}

/** Ends a request that has a mistake. */
export const refuseScim = (scimType: ScimType, detail: string): never => {
  throw new ScimRefused(scimType === "uniqueness" ? 409 : 400, scimType, detail);
};

/** The mistakes that the rules of people find, as SCIM calls them. */
export const scimTypeOf: Partial<Readonly<Record<Code, ScimType>>> = {
  email_taken: "uniqueness",
  invalid_input: "invalidValue",
  invalid_json: "invalidSyntax",
};
