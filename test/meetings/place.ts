import assert from "node:assert/strict";
import { askAs } from "../world/ask.ts";
import type { Tenant } from "../world/tenant.ts";
import type { World } from "../world/world.ts";
import { linkOf } from "./inside.ts";

/** A room, the code of its link, and somebody who signs in and does not own it. */
export const newPlace = async (world: World, settings: object = {}) => {
  const { url } = world;
  const tenant: Tenant = await world.tenant();
  const seats = { noOfModerators: 3, noOfParticipants: 5, noOfViewers: 5 };
  const room = { name: "R", room: "r", roomOwnerId: tenant.admin.id, ...seats, ...settings };
  assert.equal((await tenant.ask("createRoom", room)).status, 201);
  const member = await tenant.addPerson(`member-${tenant.id}@example.org`, { name: "Mia Member" });
  return {
    ...{ tenant, member, code: await linkOf(tenant.ask, "r") },
    asMember: askAs(url, await tenant.tokenOf(member.id)),
    asAdmin: askAs(url, await tenant.tokenOf(tenant.admin.id)),
    edit: (changes: object) =>
      tenant.ask("editRoom", { room: "r", roomOwnerId: tenant.admin.id, ...changes }),
  };
};
