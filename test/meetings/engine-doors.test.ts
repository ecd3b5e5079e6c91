// Runs: postgres-first, waits, first
// Needs: media-engine

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { JoinRequest } from "@livekit/protocol";
import { writeJoinRequest } from "../../server/media/join-request.ts";
import { joinRequest } from "../media/messages.ts";
import { noEngine } from "../run/engine.ts";
import { opensEveryTicket } from "../twins/gates.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import type { Answer } from "../world/ask.ts";
import type { Scope } from "../world/empty-database.ts";
import { until } from "../world/process.ts";
import { onlyComplete } from "../world/seed.ts";
import { startWorld } from "../world/world.ts";
import { GATE, knock } from "./doors.ts";
import { begin, connectMedia, meetingOf, startEngineOfFile, validate } from "./engine.ts";
import { enter, openSocket, type Somebody } from "./inside.ts";
import { enterInvited } from "./invited.ts";

const { skip, shared } = await startEngineOfFile();

/** A service, its address, and that of a second process on the same database. */
const startTwo = async (t: Scope, twin?: Twin) => {
  const here = await startWorld(t, { twin, environment: shared().environment });
  return { here, processes: [...new Set([here.url, await here.second()])] };
};
const two = noEngine ? undefined : await startTwo(test);

type Room = Awaited<ReturnType<typeof begin>>;

/** The ways in which a person loses the right to be inside. */
interface Ending {
  readonly who: "guest" | "member" | "invited";
  /** @returns the answer; for a join, the ticket that is valid from then on */
  readonly end: (room: Room, somebody: Somebody) => Promise<Answer>;
}

const remove = (ban?: "meeting" | "always" | number) => ({
  who: "guest" as const,
  end: ({ tenant }: Room, { peerId }: Somebody) =>
    tenant.ask("removePeer", { roomId: "r", peerId, ...(ban !== undefined && { ban }) }),
});

const endings: Readonly<Record<string, Ending>> = {
  "is removed": remove(),
  "is excluded from the meeting": remove("meeting"),
  "is excluded for some minutes": remove(5),
  "is excluded for good": remove("always"),
  "is suspended": {
    who: "member",
    end: ({ tenant, member }) =>
      tenant.ask("suspendRestoreUser", { userId: member.id, action: "suspend" }),
  },
  "is revoked": {
    who: "member",
    end: ({ tenant, member }) => tenant.ask("revokeUsers", [{ userId: member.id }]),
  },
  "gets a new password": {
    who: "member",
    end: ({ tenant, member }) => tenant.ask("resetPassword", { userId: member.id }),
  },
  "has an invitation that is revoked": {
    who: "invited",
    end: ({ tenant }) => {
      const { accessKey, secretAccessKey } = tenant.accessKey;
      const whom = { roomId: "r", peerId: "Ina" };
      return tenant.ask("revokeSessionToken", { accessKey, secretAccessKey, ...whom });
    },
  },
  "was invited with an access key that is removed": {
    who: "invited",
    end: ({ tenant, asAdmin }) => asAdmin("removeAccessKey", { id: tenant.accessKey.accessKey }),
  },
  "leaves, and the room is locked": {
    who: "guest",
    end: async ({ tenant }, { ticket }) => {
      assert.equal((await tenant.ask("leaveRoom", { ticket })).status, 200);
      return tenant.ask("lockRoom", { roomId: "r", action: "lock" });
    },
  },
  "was in a meeting that is ended": {
    who: "guest",
    end: ({ tenant }) => tenant.ask("closeRoom", { roomId: "r" }),
  },
  "joins again, and has another ticket": {
    who: "member",
    end: ({ asMember }) => asMember("joinRoom", { roomId: "r" }),
  },
};

const comeIn = (t: Scope, room: Room, who: Ending["who"]): Promise<Somebody> => {
  const { url, tenant, guest, asMember } = room;
  if (who === "guest") return guest(t, "Gus");
  if (who === "invited") return enterInvited(t, url, tenant, "r", "Ina");
  return enter(t, { url, ask: asMember }, "r");
};

/**
 * Tries every way through the gate of a process.
 *
 * @param participantSid the ID that a client claims to have had before, when it resumes
 * @returns the statuses, by way
 */
const tryWays = async (at: string, ticket: string, participantSid: string) => {
  const asked = (more: Record<string, string>, request: Partial<JoinRequest> = {}): string => {
    const join_request = writeJoinRequest(joinRequest(request));
    return `${at}${GATE}?${new URLSearchParams({ ...more, join_request })}`;
  };
  const access_token = ticket;
  const resumes = { reconnect: true, participantSid };
  return {
    validate: await validate(at, ticket),
    query: await knock(asked({ access_token })),
    header: await knock(asked({}), `Bearer ${ticket}`),
    resume: await knock(asked({ access_token, reconnect: "1", sid: participantSid }, resumes)),
    publish: await knock(asked({ access_token, publish: "again" })),
  };
};

const all = (status: number) => ({
  validate: status,
  query: status,
  header: status,
  resume: status,
  publish: status,
});
const open = { ...all(101), validate: 200 };

/** A person's right ends: what do the old ticket, and a valid one, open on each process? */
const oldTicket = async (
  t: TestContext,
  { here, processes }: Awaited<ReturnType<typeof startTwo>>,
  { who, end }: Ending,
): Promise<void> => {
  const room = await begin(here, { roomPermaLink: true });
  await room.moderator(t);
  const somebody = await comeIn(t, room, who);
  const client = await connectMedia(room.url, somebody.ticket);
  const { participant } = await client.next("join");
  assert.ok(participant);
  for (const at of processes) {
    assert.equal(await validate(at, somebody.ticket), 200, "the ticket is good before");
  }
  const ended = await end(room, somebody);
  assert.equal(ended.status, 200, ended.text);
  for (const at of processes) {
    const ways = await tryWays(at, somebody.ticket, participant.sid);
    assert.deepEqual(ways, all(403), "the old ticket");
    const socket = await openSocket(t, at, somebody);
    await until("the meeting socket is refused", () => socket.closed === 4001);
  }
  const fresh = ended.body.ticket ?? (await room.asAdmin("joinRoom", { roomId: "r" })).body.ticket;
  for (const at of processes) {
    const inside = await connectMedia(at, fresh);
    const { participant: present } = await inside.next("join");
    assert.ok(present);
    assert.deepEqual(await tryWays(at, fresh, present.sid), open, "a ticket that counts");
  }
  await client.closed;
  if (ended.body.ticket !== undefined) return;
  await until("the engine has let them go", async () => {
    const inside = await shared().inside(meetingOf(somebody));
    return !inside.has(somebody.peerId);
  });
};

/** Like others of them; links.test.ts and invitations.test.ts show in every run that these too end the seat. */
const alike = [
  "is excluded for some minutes",
  "is excluded for good",
  "is revoked",
  "gets a new password",
  "has an invitation that is revoked",
  "was invited with an access key that is removed",
];

for (const [name, ending] of Object.entries(endings)) {
  test(
    `the ticket of somebody who ${name} opens no way into the engine, on any process`,
    { skip: skip.skip || (alike.includes(name) && onlyComplete) },
    (t) => oldTicket(t, two as NonNullable<typeof two>, ending),
  );
}

testTwin(
  "a twin that does not check whether a ticket's seat has ended lets the person in again",
  async (t) => {
    if (noEngine) return t.skip(noEngine);
    const broken = await startTwo(t, opensEveryTicket);
    await assert.rejects(oldTicket(t, broken, remove()), /the old ticket/);
  },
);
