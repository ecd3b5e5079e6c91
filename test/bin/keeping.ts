import assert from "node:assert/strict";
import type { HistoryEntry } from "../../contract/history/history.ts";
import { texts } from "../../contract/kit/texts.ts";
import type { BinEntry } from "../../contract/organization/bin.ts";
import type { Answer, Ask } from "../world/ask.ts";
import type { Limits, Tenant } from "../world/tenant.ts";
import type { World } from "../world/world.ts";

export const refused = ({ status, body }: Answer, code: keyof typeof texts) =>
  assert.deepEqual([status, body.code], [texts[code].status, code], String(body.message));
export const done = ({ status, text }: Answer) => assert.equal(status, 200, text);

/** An organization with a recycle bin. */
export const keeping = async (at: World, limits: Limits = {}): Promise<Tenant> => {
  const tenant = await at.tenant(limits);
  done(await tenant.ask("editOrganization", { binDays: 30 }));
  return tenant;
};

export const entriesOf = async (ask: Ask, wanted: object = {}): Promise<BinEntry[]> =>
  (await ask("listBin", { limit: 1000, ...wanted })).body.entries;
export const idsOf = async (ask: Ask): Promise<string[]> =>
  (await entriesOf(ask)).map(({ id }) => id);

export const newestOf = async (ask: Ask, subjectId: string): Promise<HistoryEntry> =>
  (await ask("listHistory", { limit: 1, subjectId })).body.entries[0];
export const kindsOf = async (ask: Ask, subjectId: string): Promise<string[]> =>
  (await ask("listHistory", { limit: 1000, subjectId })).body.entries.map(
    ({ kind }: HistoryEntry) => kind,
  );

export const made = async (ask: Ask, input: object): Promise<string> => {
  const { status, body, text } = await ask("createRoom", { name: "Board", ...input });
  assert.equal(status, 201, text);
  return body.roomSetting.room;
};

export const revokedPerson = async ({ ask, addPerson }: Tenant, email: string) => {
  const person = await addPerson(email, { name: "Ann", role: "panelist" });
  await ask("suspendRestoreUser", { userId: person.id, action: "suspend" });
  done(await ask("revokeUsers", [{ userId: person.id }]));
  return person;
};
