import assert from "node:assert/strict";
import type { PeerType } from "../../contract/meetings/meetings.ts";
import type { Scope } from "../world/empty-database.ts";
import type { TestOrganization } from "../world/tenant.ts";
import { enter, type Somebody } from "./inside.ts";

type Host = Pick<TestOrganization, "ask" | "accessKey">;

/** Invites a person through an application; the same name is the same person. @returns the invitation */
export const invite = async (
  { ask, accessKey: { accessKey, secretAccessKey } }: Host,
  roomId: string,
  person: string,
  peerType: PeerType = "participant",
): Promise<string> => {
  const asked = { accessKey, secretAccessKey, roomId, peerId: person, peerName: person, peerType };
  const { status, body } = await ask("createSessionToken", asked);
  assert.equal(status, 201, JSON.stringify(body));
  return body.sessionToken;
};

/** Enters with an invitation; inside once this resolves. */
export const enterInvited = async (
  t: Scope,
  url: string,
  host: Host,
  roomId: string,
  person: string,
  peerType?: PeerType,
): Promise<Somebody> => {
  const sessionToken = await invite(host, roomId, person, peerType);
  return enter(t, { url, ask: host.ask }, roomId, { sessionToken });
};

/** Gives a seat back. */
export const leave = async ({ ask }: Host, { ticket }: Pick<Somebody, "ticket">): Promise<void> =>
  assert.equal((await ask("leaveRoom", { ticket })).status, 200);
