import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Commands } from "../../contract/meetings/commands.ts";
import type { SeatRow } from "../../server/db/meeting-tables.ts";
import { now } from "../../server/db/now.ts";
import { HOUR_MS } from "../../server/lib/durations.ts";
import { askAs } from "../world/ask.ts";
import type { Scope } from "../world/empty-database.ts";
import { hold } from "../world/hold.ts";
import { until } from "../world/process.ts";
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

/** Keeps all seats in a state for an hour: no test on a slow machine outlasts that. */
export const keepSeats = ({ database }: Pick<World, "database">, state: SeatRow["state"]) =>
  database.change(async (tx) => {
    const lease_until = now(HOUR_MS);
    await tx.updateTable("seats").set({ lease_until }).where("state", "=", state).execute();
  });

/**
 * Waits until a lost connection is stored, checks that the seat is kept for some time, and keeps it for an
 * hour.
 */
export const keptAway = async (world: World, id: string): Promise<void> => {
  let seat = await seatOf(world, id);
  // In a twin it may be free again by the next check.
  await until("the loss is stored", async () => {
    seat = await seatOf(world, id);
    return seat.state !== "inside";
  });
  const { state, last_seen, lease_until } = seat;
  assert.equal(state, "away", "the seat is kept");
  const keptMs = Date.parse(lease_until ?? "") - Date.parse(last_seen ?? "");
  assert.ok(keptMs > 4_000, `kept for ${keptMs} ms`);
  await keepSeats(world, "away");
};

/** Locks the rows that every change needs. @returns a function that releases them */
export const holdChanges = async (t: Scope, { config }: World): Promise<() => Promise<void>> => {
  if (config.databaseUrl === undefined) {
    const other = new DatabaseSync(join(config.dataDir, "parley.db"));
    t.after(() => other.close());
    other.exec("begin immediate");
    return async () => other.exec("rollback");
  }
  return hold(config.databaseUrl, "update organizations set used_rooms = used_rooms");
};

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
