// Runs: sqlite-first, first
// Needs: media-engine

import assert from "node:assert/strict";
import { test } from "node:test";
import { TrackSource } from "@livekit/protocol";
import { noEngine } from "../run/engine.ts";
import { removesNobody, type Step } from "../twins/deaths.ts";
import { testTwin } from "../twins/test-twin.ts";
import { onPostgres } from "../world/empty-database.ts";
import { until } from "../world/process.ts";
import { count } from "../world/seed.ts";
import { type Doomed, type Person, startDoomed } from "./deaths.ts";
import { meetingOf, sourcesOf } from "./engine.ts";
import type { Somebody } from "./inside.ts";

/*
 * A service is killed (SIGKILL) at each step of what happens to a seat. Mo is there all the time; on
 * PostgreSQL his connections are at another service. Ann's connections are at the service that dies: what she
 * did is either done or not, and the seats, the room's status and the engine's own list agree on that.
 */

/** Something that happens to Ann's seat, or to the room while she is inside. */
interface Story {
  readonly name: string;
  readonly dies: Step;
  /** True if she is inside before. */
  readonly isInside: boolean;
  /** True if she has a seat afterwards: the same one, if she had one before. */
  readonly hasSeat: boolean;
  happens(here: Doomed, ann: Person, seat: Somebody | undefined): Promise<unknown>;
  /**
   * True if the surviving service relays her media: otherwise the engine would drop her, who sends nothing,
   * as soon as her signaling breaks off, and the test could not tell whether anybody else removed her.
   */
  readonly isRelayedBeside?: boolean;
  /** True if she may not come back. */
  readonly isBanned?: boolean;
  /** True if the room has one more participant's seat afterwards, and no microphones. */
  readonly isEdited?: boolean;
}

const join = {
  name: "joins",
  isInside: false,
  happens: (_: Doomed, ann: Person) => ann.join(),
} as const;
const connect = {
  name: "connects to the engine",
  isInside: false,
  hasSeat: true,
  happens: (_: Doomed, ann: Person) => ann.connect(),
} as const;
const leave = {
  name: "leaves",
  isInside: true,
  happens: ({ askDoomed }: Doomed, _: Person, seat: Somebody | undefined) =>
    askDoomed("leaveRoom", { ticket: seat?.ticket }),
} as const;
const removal = {
  name: "is removed",
  isInside: true,
  happens: ({ askDoomed, room: roomId }: Doomed, _: Person, seat: Somebody | undefined) =>
    askDoomed("removePeer", { roomId, peerId: seat?.peerId, ban: "meeting" }),
} as const;
const edit = {
  name: "is inside while the room is edited",
  isInside: true,
  hasSeat: true,
  happens: ({ askDoomed, room, tenant }: Doomed) =>
    askDoomed("editRoom", {
      room,
      roomOwnerId: tenant.admin.id,
      noOfParticipants: 2,
      audioStatus: false,
    }),
} as const;

const leftBeside: Story = {
  ...leave,
  dies: "after the commit",
  hasSeat: false,
  isRelayedBeside: true,
};
/** The most telling stories come first: a short run runs only these. */
const stories: readonly Story[] = [
  leftBeside,
  { ...join, dies: "after the commit", hasSeat: true },
  { ...connect, dies: "after the dial" },
  { ...join, dies: "before the commit", hasSeat: false },
  { ...connect, dies: "before the dial" },
  { ...leave, dies: "before the commit", hasSeat: true },
  { ...leave, dies: "before the engine lets go", hasSeat: false },
  { ...leave, dies: "once the engine has let go", hasSeat: false },
  { ...removal, dies: "before the commit", hasSeat: true },
  { ...removal, dies: "after the commit", hasSeat: false, isBanned: true },
  { ...edit, dies: "before the commit" },
  { ...edit, dies: "after the commit", isEdited: true },
];

type Doom = Awaited<ReturnType<typeof startDoomed>>;
/** Services that end with the file: one that starts in one test is used in the next ones. */
const ends: (() => unknown)[] = [];
test.after(async () => {
  for (const end of ends.toReversed()) await end();
});
const makeRoom: Doom | undefined = noEngine
  ? undefined
  : await startDoomed({ after: (end) => void ends.push(end) });
let number = 0;

const newRoom = (make: Doom | undefined = makeRoom): Promise<Doomed> => {
  if (make === undefined) throw new Error("There is no media engine.");
  number += 1;
  return make(`r${number}`);
};

const tell = async (
  { name, dies, isInside, hasSeat, happens, ...story }: Story,
  make?: Doom,
): Promise<void> => {
  const { isRelayedBeside = false, isBanned = false, isEdited = false } = story;
  const here = await newRoom(make);
  const { ask, room: roomId, die, isUsed } = here;
  const seconds: number[] = [];
  const now = () => void seconds.push(performance.now() / 1_000);
  now();
  const mo = await here.person("Mo", "moderator", here.otherUrl);
  let moInside = await mo.enter();
  now();
  const meetingId = meetingOf(moInside);
  const ann = await here.person("Ann", "participant");
  const mediaAt = isRelayedBeside ? here.otherUrl() : undefined;
  const before = isInside ? await ann.enter(mediaAt) : undefined;

  await die(dies, () => happens(here, ann, before));

  if (!onPostgres) {
    const { peerId } = moInside;
    moInside = await mo.enter();
    assert.equal(moInside.peerId, peerId, "Mo has kept his seat");
  }
  const { peers } = (await ask("getMeeting", { roomId })).body.meeting;
  const kept = peers.find(({ peerName }: { readonly peerName: string }) => peerName === "Ann");
  if (hasSeat) assert.ok(kept, `Ann, who ${name}, has a seat`);
  else await isUsed({ moderator: 1, participant: 0, status: "busy" }, meetingId, [moInside]);
  if (isBanned) assert.equal((await ann.join()).body.code, "banned");
  const people = [moInside];
  if (!isBanned) {
    const annInside = await ann.enter();
    people.push(annInside);
    if (hasSeat) assert.equal(annInside.peerId, kept.peerId, "she has no other seat");
    if (hasSeat && before) assert.equal(annInside.peerId, before.peerId, "it is the one she had");
    else assert.notEqual(annInside.peerId, before?.peerId);
    const status = isEdited ? "busy" : "occupied";
    await isUsed({ moderator: 1, participant: 1, status }, meetingId, people);
    const mayTalk = sourcesOf(annInside.media, annInside.peerId)?.includes(TrackSource.MICROPHONE);
    assert.equal(mayTalk, !isEdited, "the engine obeys the room as it is");
  }

  now();
  for (const { ticket } of people) await ask("leaveRoom", { ticket });
  await isUsed({ moderator: 0, participant: 0, status: "free" }, meetingId, []);
  now();
  const [from = 0, inside = 0, left = 0, to = 0] = seconds;
  const { totalCallTime } = (await ask("fetchRoom", { id: roomId })).body.roomSetting;
  const time = Number(totalCallTime);
  assert.ok(time >= left - inside - 1 && time <= to - from + 1, `${time} s of ${to - from}`);
};

for (const story of stories.slice(0, count(3, stories.length, 1))) {
  test(
    `P-MEET-7: seats, status and engine agree if somebody ${story.name}, and the service is killed ${story.dies}`,
    { skip: noEngine },
    () => tell(story),
  );
}

testTwin(
  "a twin that frees seats without the engine leaves a person there",
  async (t) => {
    const make = await startDoomed(t, removesNobody);
    await assert.rejects(tell(leftBeside, make), /others are in the engine/);
  },
  { skip: noEngine || (!onPostgres && "needs two processes") },
);

/** The remains of a room in use that is deleted, once its last person has left. */
const goes = async (what: "deletion" | "last leave", dies: Step): Promise<void> => {
  const here = await newRoom();
  const { ask, askDoomed, room, die } = here;
  const mo = await (await here.person("Mo", "moderator", here.otherUrl)).enter();
  const meetingId = meetingOf(mo);
  const newcomer = await here.person("Ben", "participant");
  const ann = await (await here.person("Ann", "participant")).enter();
  const remove = () => askDoomed("deleteRoom", { id: room });
  const leaves = ({ ticket }: Somebody) => askDoomed("leaveRoom", { ticket });
  if (what === "deletion") await die(dies, remove);
  if ((await ask("fetchRoom", { id: room })).status === 200) {
    assert.ok(what === "last leave" || dies === "before the commit");
    assert.equal((await remove()).status, 202);
  } else assert.equal(dies, "after the commit");
  assert.equal((await ask("fetchRoom", { id: room })).status, 404);
  assert.equal((await newcomer.join()).status, 404);
  await leaves(mo);
  if (what === "last leave") {
    await until("Ann is alone", async () => (await here.rows(meetingId)).taken === 1);
    assert.deepEqual(await here.inEngine(meetingId), [ann.peerId]);
    await die(dies, () => leaves(ann));
  } else await leaves(ann);
  await until("nothing is left of the room", async () => (await here.rows(meetingId)).all === 0);
  assert.deepEqual(await here.inEngine(meetingId), [], "others are in the engine");
  const again = { name: "Another", room, roomOwnerId: here.tenant.admin.id };
  const { roomSetting } = (await ask("createRoom", again)).body;
  assert.deepEqual([roomSetting.roomStatus, roomSetting.totalCallTime], ["free", "0"]);
};

const goings = [
  ["last leave", "after the commit"],
  ["last leave", "once the engine has let go"],
  ["deletion", "before the commit"],
  ["deletion", "after the commit"],
] as const;

for (const [what, dies] of goings.slice(0, count(1, goings.length))) {
  test(
    `P-MEET-7: a room deleted in use goes with its last person, even if the service is killed at the ${what}, ${dies}`,
    { skip: noEngine },
    () => goes(what, dies),
  );
}
