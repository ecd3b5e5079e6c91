import assert from "node:assert/strict";
import type { Commands } from "../../contract/meeting-commands.ts";
import { askAs } from "../world/ask.ts";
import type { Scope } from "../world/empty-database.ts";
import type { Tenant } from "../world/tenant.ts";
import type { World } from "../world/world.ts";
import { enter, linkOf, type Somebody } from "./inside.ts";

/** A stored seat. */
export const seatOf = async (world: Pick<World, "database">, id: string) =>
  await world.database.read
    .selectFrom("seats")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirstOrThrow();

/** A room, the code of its link, and somebody who signs in and does not own it. */
export const newPlace = async (world: World, settings: object = {}) => {
  const { url } = world;
  const tenant: Tenant = await world.tenant();
  const seats = { noOfModerators: 3, noOfParticipants: 5, noOfViewers: 5 };
  const room = { name: "R", room: "r", roomOwnerId: tenant.admin.id, ...seats, ...settings };
  assert.equal((await tenant.ask("createRoom", room)).status, 201);
  const member = await tenant.addPerson(`member-${tenant.id}@example.org`, { name: "Mia Member" });
  return {
    tenant,
    member,
    code: await linkOf(tenant.ask, "r"),
    asMember: askAs(url, await tenant.tokenOf(member.id)),
    asAdmin: askAs(url, await tenant.tokenOf(tenant.admin.id)),
    edit: (changes: object) =>
      tenant.ask("editRoom", { room: "r", roomOwnerId: tenant.admin.id, ...changes }),
  };
};

/**
 * Creates rooms in separate organizations, each with a moderator inside and functions that let guests enter.
 */
export const meetIn =
  (world: World) =>
  async (t: Scope, settings: object = {}) => {
    const { url, open } = world;
    const { tenant, member, code, edit, asAdmin, asMember } = await newPlace(world, settings);
    const moderator = await enter(t, { url, ask: asAdmin }, "r", { peerName: "Mo" });
    /** Mia Member, who does not own the room. */
    const enterMember = () => enter(t, { url, ask: asMember }, "r");
    const guest = (peerName: string, peerType?: "participant" | "viewer") =>
      enter(t, { url, ask: open }, code, { peerName, ...(peerType && { peerType }) });
    /** The moderator answers a request to take part. */
    const answer = (action: Commands["upgradeRequest"]["action"], { peerId }: Somebody) =>
      moderator.do("upgradeRequest", { peerId, action });
    const people = { moderator, answer, guest, member, enterMember };
    return { ...people, tenant, ask: tenant.ask, code, edit, url };
  };
