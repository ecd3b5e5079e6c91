import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { seenAfter } from "../../contract/meeting-client.ts";

interface Someone {
  readonly peerId: string;
  readonly hand: string | null;
}
type Seen = ReturnType<typeof view>;

/** The view after a message; views have only the fields that a test reads. */
const merge = seenAfter as unknown as (
  view: Seen | undefined,
  message: { readonly type: string; readonly [part: string]: unknown },
) => Seen;

const person = (peerId: string, hand: string | null = null): Someone => ({ peerId, hand });
const view = (...peers: readonly Someone[]) => ({ peers, waiting: [], meeting: { locked: false } });

test("before the first welcome the view is empty, and a welcome replaces everything", () => {
  assert.equal(merge(undefined, { type: "peers", changed: [person("a")], gone: [] }), undefined);
  assert.equal(merge(undefined, { type: "changed", waiting: [] }), undefined);
  const welcome = { type: "welcome", media: {}, chat: [], ...view(person("a")) };
  assert.deepEqual(merge(view(person("b")), welcome), view(person("a")));
});

test("a change replaces its parts, and leaves the others as the same objects", () => {
  const before = view(person("a"));
  const after = merge(before, { type: "changed", meeting: { locked: true } });
  assert.deepEqual(after, { ...before, meeting: { locked: true } });
  assert.equal(after.peers, before.peers);
});

test("people stay in the order of their arrival, whatever changes, and a returning person is last", () => {
  let now = view(person("a"), person("b"), person("c"));
  const order = () => now.peers.map(({ peerId }) => peerId).join("");
  now = merge(now, { type: "peers", changed: [person("a", "now"), person("d")], gone: [] });
  assert.equal(order(), "abcd");
  now = merge(now, { type: "peers", changed: [], gone: ["b", "unknown"] });
  assert.equal(order(), "acd");
  now = merge(now, { type: "peers", changed: [person("b")], gone: ["a"] });
  assert.equal(order(), "cdb");
});

test("any sequence of differences leads to the current people", () => {
  const ids = ["a", "b", "c", "d"];
  const people = fc.dictionary(fc.constantFrom(...ids), fc.constantFrom("1", "2", null));
  fc.assert(
    fc.property(fc.array(people, { minLength: 1, maxLength: 6 }), (states) => {
      let seen = view();
      let before: Record<string, string | null> = {};
      for (const after of states) {
        const changed = Object.entries(after)
          .filter(([id, hand]) => !(id in before) || before[id] !== hand)
          .map(([id, hand]) => person(id, hand));
        const gone = Object.keys(before).filter((id) => !(id in after));
        seen = merge(seen, { type: "peers", changed, gone });
        before = after;
      }
      const found = Object.fromEntries(seen.peers.map(({ peerId, hand }) => [peerId, hand]));
      assert.deepEqual(found, { ...before });
    }),
  );
});
