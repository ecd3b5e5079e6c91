import assert from "node:assert/strict";
import { test } from "node:test";
import type { Member } from "../../server/socket/member.ts";
import { type Seen, Told } from "../../server/socket/sent-views.ts";

const member = {
  seatId: "ann",
  connection: 1,
  ticketDigest: "",
  send: () => {},
  forCapture: (data: string) => (data === "a description" ? "its part" : undefined),
  close: () => {},
  drop: () => {},
} satisfies Member;

const ann = { id: "ann", person: "guest:ann", role: "participant", state: "inside" };
const peer = (peerId: string) => ({ peerId });
const [bob, mo] = [peer("bob"), peer("mo")];
const wrote = (number: number, text: string, more: object = {}) => ({
  number,
  message: { peerId: "bob", peerName: "Bob", text, sentAt: new Date(number).toISOString() },
  person: "guest:bob",
  role: "participant",
  ...more,
});
const said = (number: number) => ({ number, seat_id: "bob", role: "participant" });

interface Given {
  readonly view?: object;
  readonly peers?: readonly { readonly peerId: string }[];
  readonly chat?: readonly object[];
  readonly captions?: readonly object[];
  readonly room?: object;
}

const seen = ({ view, peers = [], chat = [], captions = [], room }: Given = {}) =>
  ({
    snapshot: { room: { roomType: "conferencing", participantPrivacy: false, ...room } },
    views: {
      of: () => ({ you: "Ann", allowed: { chat: true }, receivers: [], ...view }),
      peersOf: () => new Map(peers.map((one) => [one.peerId, one])),
    },
    chat,
    captions,
    mediaOf: () => ({ type: "direct" }),
  }) as never as Seen;

/** The messages that somebody gets after each look. */
const tell = (...looks: readonly Given[]) => {
  const told = new Told(member);
  const news = looks.map((look) => told.news(ann as never, seen(look)));
  return { told, news, last: news.at(-1) ?? [] };
};

test("a newcomer gets everything except earlier messages and captions", () => {
  const { last } = tell({ peers: [bob], chat: [wrote(5, "hello")], captions: [said(7)] });
  const [welcome, ...more] = last;
  assert.ok(welcome?.type === "welcome" && more.length === 0);
  assert.deepEqual(welcome.peers, [bob]);
  assert.deepEqual(welcome.media, { type: "direct" });
  assert.deepEqual(
    welcome.chat.map(({ text }) => text),
    ["hello"],
  );
});

test("nothing is repeated: each look sends what changed", () => {
  const first = { peers: [bob, mo], chat: [wrote(5, "hello")] };
  assert.deepEqual(tell(first, first).last, []);
  assert.deepEqual(tell(first, { ...first, view: { you: "Anna" } }).last, [
    { type: "changed", you: "Anna" },
  ]);
  const changedBob = { ...bob, hand: true };
  assert.deepEqual(tell(first, { peers: [changedBob] } as Given).last, [
    { type: "peers", changed: [changedBob], gone: ["mo"] },
  ]);
});

test("nobody is among their own peers", () => {
  const self = peer("ann");
  const first = { peers: [self, bob] };
  const { told, news } = tell(first, { peers: [{ ...self, hand: true }, bob] } as Given, {
    peers: [bob],
  });
  const [welcome] = news[0] ?? [];
  assert.ok(welcome?.type === "welcome");
  assert.deepEqual(welcome.peers, [bob]);
  assert.deepEqual(news.slice(1), [[], []]);
  told.news(ann as never, seen(first));
  assert.equal(told.signalTo("meeting", "ann", "anything"), undefined);
});

test("a list of people that many share is compared once for all of them", () => {
  let walks = 0;
  class Counted extends Map<string, { readonly peerId: string }> {
    override *[Symbol.iterator](): MapIterator<[string, { readonly peerId: string }]> {
      walks += 1;
      yield* super[Symbol.iterator]();
    }
  }
  const listOf = (...peers: readonly { readonly peerId: string }[]) =>
    new Counted(peers.map((one) => [one.peerId, one]));
  const crowd = ["ann", "ben", "cid"].map((seatId) => new Told({ ...member, seatId }));
  const look = (list: Counted) => {
    const views = { ...seen().views, peersOf: () => list };
    return crowd.map((told) => told.news(ann as never, { ...seen(), views } as never));
  };
  look(listOf(bob));
  walks = 0;
  const told = [{ type: "peers", changed: [mo], gone: [] }];
  assert.deepEqual(look(listOf(bob, mo)), [told, told, told]);
  assert.equal(walks, 1);
});

test("each message and each caption arrives once, in order", () => {
  const texts = (
    given: readonly {
      readonly type: string;
      readonly messages?: readonly { readonly text: string }[];
    }[],
  ) => given.flatMap(({ messages = [] }) => messages.map(({ text }) => text));
  const chat = [wrote(5, "one"), wrote(6, "two"), wrote(9, "three")];
  const { news } = tell({ chat: chat.slice(0, 1) }, { chat }, { chat }, { chat: [] });
  assert.deepEqual(news.slice(1).map(texts), [["two", "three"], [], []]);
  const spoken = tell({ captions: [said(3)] }, { captions: [said(3), said(4)] }, { captions: [] });
  assert.deepEqual(
    spoken.news.slice(1).map((messages) => messages.map(({ type }) => type)),
    [["captions"], []],
  );
  assert.equal(spoken.told.caption, 4);
});

test("without the chat nothing of it is read, and later everything since then", () => {
  const off = { view: { allowed: { chat: false } } };
  const chat = [wrote(5, "one")];
  const { told, news } = tell(off, { ...off, chat }, { chat });
  assert.deepEqual(news[1], []);
  assert.equal(told.chat, 5);
  assert.ok(news[2]?.some(({ type }) => type === "chat"));
});

test("messages that privacy hides are skipped in chat and captions, and not sent later", () => {
  const room = { participantPrivacy: true };
  const fromMo = wrote(6, "to all", { person: "mo", role: "moderator" });
  const chat = [wrote(5, "to moderators"), fromMo];
  const { told, last } = tell({ room }, { room, chat, captions: [said(2)] });
  const [message] = last;
  assert.ok(message?.type === "chat" && last.length === 1);
  assert.deepEqual(
    message.messages.map(({ text }) => text),
    ["to all"],
  );
  assert.deepEqual([told.chat, told.caption], [6, 2]);
});

test("a signal goes to a peer as it is, to a capture in part, and to nobody else", () => {
  const view = { receivers: [{ peerId: "recorder", video: true }] };
  const { told } = tell({ view, peers: [bob] });
  const signal = (to: string, data: string) =>
    told.signalTo("meeting", to, data)?.map(({ seatId, message }) => [seatId, message]);
  const from = { type: "signal", from: "ann" };
  assert.deepEqual(signal("bob", "anything"), [["bob", { ...from, data: "anything" }]]);
  assert.deepEqual(signal("recorder", "a description"), [
    ["recorder", { ...from, data: "its part" }],
  ]);
  assert.deepEqual(signal("recorder", "anything"), []);
  assert.equal(signal("mo", "anything"), undefined);
  assert.equal(
    new Told(member).signalTo("meeting", "bob", "anything"),
    undefined,
    "nobody is known yet",
  );
});
