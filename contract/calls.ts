import { type Operations, operations } from "./index.ts";
import type { Input, Operation, Reply } from "./operation.ts";

/*
 * What the client needs of the operations. The packed client has a generated module in this one's
 * place (packaging/client-calls.ts), so that it carries no schema.
 */

export type { Code } from "./texts.ts";

/** How an operation is called. */
export type Plan = Pick<Operation, "method" | "path" | "in" | "access">;

export const calls: Readonly<Record<string, Plan>> = Object.fromEntries(
  Object.entries(operations).map(([id, { method, path, in: where, access }]) => [
    id,
    { method, path, in: where, access },
  ]),
);

/** What each operation takes. */
export type Inputs = { readonly [K in keyof Operations]: Input<Operations[K]> };
/** What each operation answers. */
export type Replies = { readonly [K in keyof Operations]: Reply<Operations[K]> };
