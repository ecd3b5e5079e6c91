import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "../../contract/client.ts";
import { IMPORT_LINES } from "../../contract/imports/imports.ts";
import { issueToken } from "../../server/access/tokens.ts";
import { openOrganization, operator } from "../../server/change/organization.ts";
import { type Database, openDatabase } from "../../server/db/open.ts";
import { prepareImport } from "../../server/imports/imports.ts";
import { editOrganization } from "../../server/organizations/settings.ts";
import { addPeople, addRooms } from "../../test/world/many.ts";
import { type Bench, databases, type Served } from "../bench.ts";
import type { DatabaseName, Dataset } from "../dataset.ts";
import { say } from "../say.ts";
import { type Figure, target } from "../target.ts";

/*
 * No operation may hold the event loop for more than 50 ms, or the organization's row for more than a second,
 * however many rooms somebody owns, and however many lines imports have. The service itself measures the
 * loop; creating rooms in the same organization at the same time measures the row.
 */

const METRICS_TOKEN = "metrics-of-the-bench";
/** The pause between two creations. */
const PAUSE_MS = 20;
/** How often the bench checks whether work that follows an answer is done. */
const LOOK_MS = 200;

/** The delays while something ran, in milliseconds. */
interface Seen {
  readonly took: number;
  readonly loop: number;
  readonly creation: number;
}

/** The longest delay of the event loop since the last reading. It is 10 ms, the resolution, when idle. */
const longestDelay = async ({ url }: Served): Promise<number> => {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const text = await (await fetch(`${url}/metrics`, { headers })).text();
  return Number(/^parley_nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1]) * 1000;
};

/** Does something while it creates rooms. */
const watch = async (
  service: Served,
  create: () => Promise<unknown>,
  run: () => Promise<unknown>,
): Promise<Seen> => {
  let [isOver, creation] = [false, 0];
  await longestDelay(service);
  const creating = (async () => {
    while (!isOver) {
      const from = performance.now();
      await create();
      creation = Math.max(creation, performance.now() - from);
      await sleep(PAUSE_MS);
    }
  })();
  let took = performance.now();
  try {
    await run();
    took = performance.now() - took;
  } finally {
    isOver = true;
    await creating;
  }
  return { took, creation, loop: await longestDelay(service) };
};

/** The people of this measurement. */
interface People {
  readonly owner: string;
  /** Owns every room together with `owner`. */
  readonly partner: string;
  readonly heir: string;
  /** An administrator who hands the rooms over. */
  readonly leaver: string;
  /** Owns the rooms created meanwhile. */
  readonly other: string;
}

/** The role that only owner and partner have. */
const ROLE = "landlord";

interface SeeOptions {
  /** Prepares the next round. */
  readonly undo?: () => Promise<unknown>;
  readonly rounds?: number;
}

const populate = async (database: Database, dataset: Dataset, rooms: number): Promise<People> => {
  const { organizationId } = dataset;
  const organization = openOrganization(database, organizationId, operator);
  const people = [{ role: ROLE }, { role: ROLE }, {}, {}, {}];
  const [owner = "", partner = "", heir = "", leaver = "", other = ""] = await addPeople(
    organization,
    people,
  );
  await addRooms(organization, rooms, ["Owned"], [owner, partner]);
  await organization.change((change) => editOrganization(change, { binDays: 30 }));
  const made = { owner, partner, heir, leaver, other };
  await addLines(database, dataset, made, rooms);
  return made;
};

/** Stores imports of this many lines; every other line names a person by email address. */
const addLines = async (
  database: Database,
  { organizationId }: Dataset,
  { heir, other }: People,
  lines: number,
): Promise<void> => {
  const organization = openOrganization(database, organizationId, operator);
  const named = database.read.selectFrom("users").select("email").where("id", "=", heir);
  const { email } = await named.executeTakeFirstOrThrow();
  for (let left = lines; left > 0; left -= IMPORT_LINES) {
    const places = Array.from({ length: Math.min(left, IMPORT_LINES) }, (_, at) => ({
      name: `Place ${at}`,
      roomOwnerId: at % 2 === 0 ? email : other,
    }));
    const { rule } = await prepareImport(organization, {
      kind: "rooms",
      form: "parley",
      format: "json",
      name: "",
      text: JSON.stringify(places),
    });
    await organization.change(rule);
  }
};

/** Sends a request and reads the answer as bytes: parsing it would delay the creations. */
const readWhole = async (url: string, token: string, body?: object): Promise<number> => {
  const response = await fetch(url, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${url}: ${await response.text()}`);
  return (await response.arrayBuffer()).byteLength;
};

const asText = ({ took, loop, creation }: Seen): string =>
  [took, loop, creation].map((ms) => `${Math.round(ms)} ms`).join(", ");

const figuresOf = (what: string, database: DatabaseName, seen: readonly Seen[]): Figure[] => {
  const times = seen.map(({ took }) => `${Math.round(took)}`).join(", ");
  return [
    {
      what: `${what}: longest delay of the event loop`,
      database,
      unit: "ms",
      rounds: seen.map(({ loop }) => loop),
      goal: { atMost: 50 },
      note: `it took ${times} ms`,
    },
    {
      what: `${what}: slowest creation of a room meanwhile`,
      database,
      unit: "ms",
      rounds: seen.map((one) => one.creation),
      goal: { atMost: 1000 },
    },
  ];
};

const measureOn = async (
  bench: Bench,
  dataset: Dataset,
  database: Database,
): Promise<readonly Figure[]> => {
  const rooms = bench.isQuick ? 2_000 : 100_000;
  const people = await populate(database, dataset, rooms);
  const { owner, partner, heir, leaver, other } = people;
  const { organizationId, tokens } = dataset;
  const service = await bench.start(dataset, { environment: { METRICS_TOKEN } });
  const { url } = service;
  const tokenOf = async (userId: string): Promise<string> =>
    (await database.change((tx) => issueToken(tx, { organizationId, userId }, "access"))).token;
  const [token = ""] = tokens;
  const parley = createClient({ baseUrl: url, token });
  await parley.editUser({ userId: leaver, admin: true });
  const create = () => parley.createRoom({ name: "Beside", roomOwnerId: other });

  const figures: Figure[] = [];
  const see = async (
    what: string,
    run: () => Promise<unknown>,
    { undo, rounds = bench.isQuick ? 1 : 3 }: SeeOptions = {},
  ): Promise<void> => {
    const seen: Seen[] = [];
    for (let round = 0; round < rounds; round += 1) {
      seen.push(await watch(service, create, run));
      await undo?.();
    }
    figures.push(...figuresOf(what, dataset.database, seen));
    say(`${dataset.database}, ${what}: ${seen.map(asText).join("; ")}`);
  };
  const get = (path: string, by = token) => readWhole(url + path, by);
  const list = (query: string, by?: string) =>
    get(`/api/roomSetting/paginated?limit=25&${query}`, by);
  const revoke = (...ids: string[]) => parley.revokeUsers(ids.map((userId) => ({ userId })));
  const reactivate = () => parley.reactivateUser({ userId: owner });
  const bin = () => parley.binUsers({ userIds: [owner] });
  const takeBack = () => parley.restoreFromBin({ ids: [owner] });
  /** Deletes somebody for good, and waits until nothing refers to them. */
  const remove = async (id: string): Promise<void> => {
    await revoke(id);
    await parley.deleteUsers([id]);
    const person = database.read.selectFrom("users").select("id").where("id", "=", id);
    const lines = database.read.selectFrom("line_erasures").select("id");
    while ((await person.executeTakeFirst()) ?? (await lines.executeTakeFirst())) {
      await sleep(LOOK_MS);
    }
  };
  const handOver = async (): Promise<void> => {
    const leaving = createClient({ baseUrl: url, token: await tokenOf(leaver) });
    await leaving.handOverRooms({ userId: owner, heirs: [heir] });
    const rows = database.read.selectFrom("hand_overs").select("user_id");
    while (await rows.executeTakeFirst()) await sleep(LOOK_MS);
  };
  const far = Math.floor(rooms / 25) - 1;

  await see("nothing else", () => sleep(2_000));
  await see("an owner is renamed", () =>
    parley.editUser({ userId: owner, name: `Renamed ${performance.now()}` }),
  );
  await see("a page of people that lists their rooms", () =>
    readWhole(`${url}/api/user/fetchOrgUsersWithPagination`, token, { role: ROLE }),
  );
  await see("a far page of an owner's rooms", () => list(`userFilter=${owner}&page=${far}`));
  const partners = await tokenOf(partner);
  await see("a page of rooms that two own together", () => list(`userFilter=${owner}`, partners));
  await see("an owner is revoked", () => revoke(owner), { undo: reactivate });
  await revoke(owner, partner);
  await see("a page of rooms without an owner", () => list("withoutOwner=true"));
  await see("an owner goes into the recycle bin", bin, { undo: takeBack });
  await bin();
  await see("a page of rooms while an owner is in the bin", () => list(`userFilter=${partner}`));
  await see("an owner comes back from the recycle bin", takeBack, { undo: bin });
  await takeBack();
  await see("an owner's data are exported", () => get(`/api/user/export?userId=${owner}`));
  await see("the rooms are handed over", handOver, { rounds: 1 });
  await see("the history of the administrator who did it, searched", () =>
    get(`/api/history?actorId=${leaver}&search=absent`),
  );
  await see("their data are exported", () => get(`/api/user/export?userId=${leaver}`));
  await see("they are deleted for good", () => remove(leaver), { rounds: 1 });
  await see("the new owner is deleted for good", () => remove(heir), { rounds: 1 });
  await service.stop();
  return figures;
};

export const ownerOfManyRooms = target({
  number: 20,
  section: "owners",
  title: "Everything that concerns an owner of 100,000 rooms",
  async measure(bench) {
    const figures: Figure[] = [];
    for (const name of databases) {
      // Created in each run. The last target that uses this data, because it adds its rooms to it.
      const dataset = await bench.dataset(name, "small");
      await bench.release(dataset);
      const database = await openDatabase(dataset);
      try {
        figures.push(...(await measureOn(bench, dataset, database)));
      } finally {
        await database.close();
      }
    }
    return figures;
  },
});
