import { z } from "zod";
import type { OwnersMay } from "./organization-settings.ts";
import type { Scoped } from "./scopes.ts";
import type { Code } from "./texts.ts";

/**
 * The callers of an operation: anyone; anyone, but a token must be valid and identifies its holder; any token;
 * a signed-in person; an administrator or access key.
 */
export type Access = "anyone" | "anyone or token" | "token" | "person" | "administrator";

/** The shape of a failure body (interface.md, Answers). */
export type FailureShape =
  /** `success` false, `message` */
  | "message"
  /** `type`, `success` false, `message` */
  | "typed message"
  /** `type`, `success` false, `error`: the room list, whatever failed */
  | "typed error"
  /** `authToken` with `ok` false and `message` */
  | "authToken";

/** One operation of the interface: what it takes, what it answers and how it fails. */
export interface Operation<Input extends z.ZodType = z.ZodType, Reply extends z.ZodType = z.ZodType>
  extends Scoped {
  /** The method of the typed client, and the operationId of the OpenAPI document. */
  readonly id: string;
  /** The path with `:name` for a parameter. */
  readonly path: string;
  readonly summary: string;
  readonly access: Access;
  /** The organization setting that also lets room owners without `admin` call it. */
  readonly owners?: Exclude<OwnersMay, "nothing">;
  /**
   * Set if a session with a second factor needs a proof of the last minutes, because what it does cannot be
   * undone, or lets people in. `sometimes`: its rule asks, by what is to be done (`demandProof`).
   */
  readonly fresh?: "always" | "sometimes";
  /** True if a session whose person must set up a second factor first may call it. */
  readonly setup?: true;
  /** Where the request carries the input. */
  readonly in: "body" | "query" | "path" | "nothing";
  readonly input: Input;
  /** The input that a client should send, if `input` accepts more: older values, other spellings. */
  readonly sent?: z.ZodType;
  readonly reply: Reply;
  readonly status: 200 | 201;
  /** A second success status, and when it occurs. */
  readonly otherStatus?: { readonly status: 202; readonly when: string };
  /** The `type` of the operation's answers, if they have one. */
  readonly type?: string;
  readonly failure: FailureShape;
  /** The failure without a database; with `detail`, its condition is in `error`. */
  readonly fault?: { readonly code: Code; readonly detail: boolean };
  /** The refusals besides bad input and a missing token. */
  readonly refusals: readonly Code[];
  /** The largest body, in bytes, if larger than usual. */
  readonly body?: number;
  /** True if it changes something, and is repeatable with an `Idempotency-Key`. */
  readonly changes?: true;
  /** Keys that are ignored without being named in `Parley-Ignored`. */
  readonly readOnly?: readonly string[];
  /** The media types of the file that it answers instead of JSON; `reply` is its text. */
  readonly file?: readonly string[];
  /**
   * Set if its answers may be compressed: no secret stands beside texts that others choose, or only where
   * the answer has one. Others are never compressed.
   */
  readonly compressed?: "always" | "without secrets";
  /** The key of the answer's list, if its entries are made as text (`aroundEntries`). */
  readonly list?: string;
  /** When the answer carries an `ETag`. */
  readonly tagged?: "always" | "asked for one";
  /** The texts of the answer's `Parley-Note`, if the operation may do something unexpected. */
  readonly notes?: readonly string[];
  /**
   * True if it supports `If-Match`: the edit then changes only the version that the caller loaded.
   */
  readonly conditional?: boolean;
}

/** Returns whether access keys can call an operation with their tokens. */
export const isForKeys = ({ access }: Pick<Operation, "access">): boolean =>
  access !== "anyone" && access !== "person";

/** The input that a client should send. */
export type Input<O extends Operation> = O extends { readonly sent: infer Sent extends z.ZodType }
  ? z.input<Sent>
  : z.input<O["input"]>;
/** A rule's input: checked, with defaults. */
export type Checked<O extends Operation> = z.output<O["input"]>;
/** The answer that a client receives. */
export type Reply<O extends Operation> = O extends { readonly file: readonly string[] }
  ? Blob
  : z.output<O["reply"]>;

/** The input of operations without input. */
export const nothing = z.object({});

/** A reply of exactly these keys after `success` true. */
export const success = <S extends z.ZodRawShape>(shape: S) =>
  z.strictObject({ success: z.literal(true), ...shape });

/** A reply of exactly these keys after `type` and `success` true. */
export const typedSuccess = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) =>
  z.strictObject({ type: z.literal(type), success: z.literal(true), ...shape });

/** The JSON of a list's answer before and after its entries; `more` has the keys after the list. */
export const aroundEntries = (
  { type, list }: Operation,
  more: Readonly<Record<string, unknown>> = {},
): { readonly head: string; readonly tail: string } => {
  const before = JSON.stringify({ ...(type === undefined ? {} : { type }), success: true });
  const behind = Object.keys(more).length === 0 ? "}" : `,${JSON.stringify(more).slice(1)}`;
  return { head: `${before.slice(0, -1)},${JSON.stringify(list)}:[`, tail: `]${behind}` };
};

/** Checks an operation's type and preserves its exact types. */
export const operation = <
  I extends z.ZodType,
  R extends z.ZodType,
  const O extends Operation<I, R>,
>(
  given: O & Operation<I, R>,
): O => given;
