import type { Client } from "../../contract/client.ts";
import { toFields } from "../../contract/imports/fields.ts";
import type { ImportKind } from "../../contract/imports/imports.ts";
import { HOUR_MS } from "../lib/durations.ts";

/*
 * Reads what moves from a service, by its own interface: a source needs only the lists of the interface, so
 * any service that has it can be one. It may answer anything.
 */

/** A person or room by the fields of files. */
export type Fields = Readonly<Record<string, unknown>>;

/** Everything of a service that moves. */
export interface Content {
  readonly users: readonly Fields[];
  readonly rooms: readonly Fields[];
}

/** A service that does not answer as the interface says, or without end. */
export class OddService extends Error {
  override readonly name = "OddService";
}

/** How much is read of a service. */
export interface Limits {
  /** People, and rooms. */
  readonly entries: number;
  /** The characters of all of them together. */
  readonly letters: number;
  /** The time for everything. */
  readonly milliseconds: number;
}

const usual: Limits = { entries: 250_000, letters: 256 * 1024 ** 2, milliseconds: HOUR_MS };
const MOST_ROLES = 1_000;

/** A record of a list, of which nothing is known. */
type Listed = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Listed =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const listIn = (answer: unknown, name: string): readonly Listed[] => {
  const list = isRecord(answer) ? answer[name] : undefined;
  if (Array.isArray(list) && list.every(isRecord)) return list;
  throw new OddService(`The service answers without a list of ${name}.`);
};

/** The pages of a list, until one brings nothing. @throws OddService for a list that has no end */
async function* pagesIn(ask: (page: number) => Promise<unknown>, name: string, key: string) {
  const seen = new Set<unknown>();
  for (let page = 1, last = 1; page <= last; page += 1) {
    const answer = await ask(page);
    const list = listIn(answer, name);
    if (list.length === 0) return;
    const before = seen.size;
    for (const record of list) seen.add(record[key]);
    if (seen.size === before) throw new OddService("The service answers with the same page again.");
    yield list;
    const { pagination } = answer as Listed;
    last = isRecord(pagination) ? Number(pagination.totalPages) : Number.NaN;
    if (!Number.isSafeInteger(last))
      throw new OddService("The service hides how many pages it has.");
  }
}

/** Keeps what a service names, each entry once. */
class Shelf {
  readonly #entries = { users: new Map<string, Fields>(), rooms: new Map<string, Fields>() };
  readonly #limits: Limits;
  #letters = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** @throws OddService when it is too much */
  add(kind: ImportKind, key: unknown, record: Listed): void {
    if (typeof key !== "string") throw new OddService(`The service names ${kind} without an ID.`);
    const entries = this.#entries[kind];
    if (entries.has(key)) return;
    const fields = toFields(kind, record);
    this.#letters += JSON.stringify(fields).length;
    if (entries.size >= this.#limits.entries || this.#letters > this.#limits.letters) {
      throw new OddService("The service names more people and rooms than one move can bring.");
    }
    entries.set(key, fields);
  }

  all(kind: ImportKind): Fields[] {
    return [...this.#entries[kind].values()];
  }
}

const readPeople = async (client: Client, shelf: Shelf, signal: AbortSignal): Promise<void> => {
  const options = { signal };
  const active = listIn(await client.fetchUsers({}, options), "users");
  for (const user of active) shelf.add("users", user.id, user);
  const revoked = listIn(await client.fetchRevokedUsers({}, options), "users");
  const roles = new Set(revoked.map(({ role }) => String(role)));
  if (roles.size > MOST_ROLES) throw new OddService("The service names too many roles.");
  // The whole list of revoked people has fewer fields than the pages, which are by role.
  for (const role of roles) {
    const ask = (page: number) => client.listRevokedUsers({ role, limit: 100, page }, options);
    for await (const users of pagesIn(ask, "users", "id")) {
      for (const user of users) shelf.add("users", user.id, user);
    }
  }
};

/** Reads everything that moves; owners of rooms by their emails, where the service knows them. */
const readAll = async (client: Client, shelf: Shelf, signal: AbortSignal): Promise<Content> => {
  await readPeople(client, shelf, signal);
  const users = shelf.all("users");
  const emails = new Map(users.map(({ id, email }) => [id, String(email)]));
  const ask = (page: number) => client.listRooms({ limit: 100, page }, { signal });
  for await (const records of pagesIn(ask, "roomSettings", "room")) {
    for (const record of records) {
      const owners = String(record.roomOwnerId ?? "").split(",");
      const roomOwnerId = owners.map((owner) => emails.get(owner) ?? owner).join(",");
      shelf.add("rooms", record.room, { ...record, roomOwnerId });
    }
  }
  return { users, rooms: shelf.all("rooms") };
};

/**
 * Reads everything that moves, within an hour and in a bounded part of the memory.
 *
 * @throws OddService where the service does not answer as the interface says, or without end
 */
export const readContent = async (client: Client, limits: Limits = usual): Promise<Content> => {
  const signal = AbortSignal.timeout(limits.milliseconds);
  try {
    return await readAll(client, new Shelf(limits), signal);
  } catch (error) {
    throw signal.aborted ? new OddService("The service did not name everything in time.") : error;
  }
};
