import { setTimeout as sleep } from "node:timers/promises";
import type { Insertable } from "kysely";
import { openOrganization, service } from "../../server/change/organization.ts";
import type { SeatsTable } from "../../server/db/meeting-tables.ts";
import type { Database } from "../../server/db/open.ts";
import { uuid7 } from "../../server/lib/id.ts";
import { fillUsage } from "../../server/usage/fill.ts";
import type { TestOrganization } from "../world/tenant.ts";

/** Somebody's stay in a meeting of the past. */
export interface Stay {
  /** An account, or any other text for a guest. */
  readonly who: string;
  readonly from: string;
  readonly to: string;
  readonly role?: SeatsTable["role"];
}

/** A meeting of the past, as its seats record it. */
export interface Past {
  /** The ID of the row of the room. */
  readonly roomId: string;
  readonly stays: readonly Stay[];
  readonly users?: readonly string[];
}

/** The first and the last moment of stays of people. */
const endsOf = (stays: readonly Stay[]) => {
  const people = stays.filter(({ role }) => role !== "recorder");
  const [from] = people.map((stay) => stay.from).toSorted();
  const to = people.map((stay) => stay.to).toSorted();
  return { from: from ?? "", to: to.at(-1) ?? "" };
};

/** Adds meetings that ended before there were counters, and says that they are to be counted. */
export const addPast = async (
  { change, id: organization_id }: TestOrganization,
  meetings: readonly Past[],
): Promise<readonly string[]> =>
  change(async ({ tx }) => {
    const ids: string[] = [];
    for (const { roomId: room_id, stays, users = [] } of meetings) {
      const id = uuid7();
      ids.push(id);
      const { from, to } = endsOf(stays);
      await tx
        .insertInto("meetings")
        .values({
          ...{ id, organization_id, room_id, media: "direct", room_type: null, opened_at: from },
          ...{ started_at: from, ended_at: to, locked: false, presenter: null },
          seconds: (Date.parse(to) - Date.parse(from)) / 1000,
        })
        .execute();
      const seats = stays.map(({ who, from: joined, to: left, role = "participant" }) => ({
        ...{ id: uuid7(), organization_id, room_id, meeting_id: id, role, state: "left" },
        person: users.includes(who) ? `user:${who}` : `guest:${who}`,
        user_id: users.includes(who) ? who : null,
        ...{ peer_name: who, ticket_digest: uuid7(), lease_until: null, process: null },
        ...{ connection: 1, media_process: null, media_connection: 0, claimed_at: joined },
        ...{ joined_at: joined, last_seen: left, left_at: left, reason: "left", audio: false },
        ...{ video: false, share: false, hand_at: null, upgraded: false },
      }));
      await tx
        .insertInto("seats")
        .values(seats as Insertable<SeatsTable>[])
        .execute();
    }
    await tx
      .updateTable("organizations")
      .set({ usage_filled_to: "" })
      .where("id", "=", organization_id)
      .execute();
    return ids;
  });

/** Counts the meetings of the past, as the background does. @returns in how many pieces */
export const fill = async (database: Database, organizationId: string): Promise<number> => {
  const organization = openOrganization(database, organizationId, service);
  for (let pieces = 0; ; pieces += 1) {
    if (!(await fillUsage.organizations(database.read)).includes(organizationId)) return pieces;
    await fillUsage.piece(organization);
    await sleep(0);
  }
};

/** Makes the service look for background work at once, as it does after a deletion. */
export const wakeMender = async ({ ask, addPerson }: TestOrganization): Promise<void> => {
  const { id } = await addPerson("nobody@usage.example.org");
  await ask("revokeUsers", [{ userId: id }]);
  await ask("deleteUsers", [id]);
};
