import assert from "node:assert/strict";
import { uuid7 } from "../../server/lib/id.ts";
import { type Ask, askAs } from "../world/ask.ts";
import type { Limits, TestOrganization } from "../world/tenant.ts";
import type { World } from "../world/world.ts";

/** A record as it is answered. */
// biome-ignore lint/suspicious/noExplicitAny: records are compared with schemas and literals.
export type RoomAnswer = Record<string, any>;

export const ROOMS = "/api/roomSetting";

/** A person with an account and a token. */
export interface Person {
  readonly id: string;
  readonly ask: Ask;
}

/** A separate organization, with a person who may own rooms. */
export interface Home extends TestOrganization {
  /** The ID of an account that may own rooms. */
  readonly owner: string;
  /** Adds an account: not an administrator unless specified. */
  person(more?: { readonly admin?: boolean; readonly name?: string }): Promise<Person>;
  /** Creates a room and returns its record. */
  room(fields?: object): Promise<RoomAnswer>;
  /** The record of a room as it is fetched. */
  fetched(room: string): Promise<RoomAnswer>;
  /** How many rooms the organization uses, according to the service. */
  used(): Promise<number>;
}

export const newHome = async (world: World, limits: Limits = {}): Promise<Home> => {
  const organization = await world.organization(undefined, limits);
  const { ask } = organization;
  const person: Home["person"] = async ({ admin = false, name = "Ann Lee" } = {}) => {
    const { id } = await organization.addPerson(`${uuid7()}@example.org`, { admin, name });
    return { id, ask: askAs(world.url, await organization.tokenOf(id)) };
  };
  const { id: owner } = await person({ name: "Olga Owner" });
  return {
    ...organization,
    owner,
    person,
    async room(fields = {}) {
      const room = { name: "Board", roomOwnerId: owner, ...fields };
      const { status, body, text } = await ask(`POST ${ROOMS}`, room);
      assert.equal(status, 201, text);
      return body.roomSetting;
    },
    async fetched(room) {
      const { status, body, text } = await ask(`GET ${ROOMS}/${room}`);
      assert.equal(status, 200, text);
      return body.roomSetting;
    },
    async used() {
      return (await ask("GET /api/organization")).body.organization.used.rooms;
    },
  };
};
