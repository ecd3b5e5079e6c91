import fc from "fast-check";
import type { Role } from "./meeting-model.ts";

/** The people, by number. */
export const roles: readonly Role[] = [
  ...(["moderator", "participant", "participant", "participant", "viewer"] as const),
];

/** A step of a room's history; each can be taken in any state. */
export type Step =
  | { readonly does: "join" | "connect" | "come" | "cut" | "remove"; readonly who: number }
  | { readonly does: "leave"; readonly who: number; readonly mayReturn: boolean }
  | { readonly does: "edit"; readonly participants: number }
  | { readonly does: "wait"; readonly seconds: number }
  | { readonly does: "close" | "kill" };

const who = fc.nat(roles.length - 1);
const does = <N extends string>(name: N) => who.map((one) => ({ does: name, who: one }));
/** Any step; those that bring people in occur more often. */
export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: does("join") },
  { weight: 4, arbitrary: does("connect") },
  { weight: 9, arbitrary: does("come") },
  { weight: 5, arbitrary: does("cut") },
  { weight: 2, arbitrary: does("remove") },
  {
    weight: 5,
    arbitrary: fc.record({ does: fc.constant("leave"), who, mayReturn: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant("edit"),
      participants: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constant("wait"), seconds: fc.constantFrom(9, 100, 4000) }),
  },
  { weight: 1, arbitrary: fc.constant({ does: "close" }) },
  { weight: 1, arbitrary: fc.constant({ does: "kill" }) },
);
