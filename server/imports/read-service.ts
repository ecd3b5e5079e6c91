import type { Client } from "../../contract/client.ts";
import { ParleyError } from "../../contract/failure.ts";
import { toFields } from "../../contract/imports/fields.ts";
import type { ImportKind } from "../../contract/imports/imports.ts";
import { languageFor, pageLanguages } from "../../contract/kit/languages.ts";
import { BULK } from "../../contract/people/users.ts";
import { HOUR_MS } from "../lib/durations.ts";

/*
 * Reads what moves from a service by the interface's lists, so any service that has them can be a
 * source. It may answer anything.
 */

/** A person or room by the fields of files. */
export type Fields = Readonly<Record<string, unknown>>;

/** Everything that moves from a service. */
export interface Content {
  readonly users: readonly Fields[];
  readonly rooms: readonly Fields[];
}

/** A service that does not answer as the interface says, or answers without end. */
export class OddService extends Error {
  override readonly name = "OddService";
}

/** The most that is read from a service. */
export interface ReadLimits {
  /** People, and rooms. */
  readonly entries: number;
  /** The total number of characters. */
  readonly letters: number;
  /** The total time. */
  readonly milliseconds: number;
}

const usual: ReadLimits = { entries: 250_000, letters: 256 * 1024 ** 2, milliseconds: HOUR_MS };
const MOST_ROLES = 1_000;

/** A list's record, of unknown content. */
type Listed = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Listed =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const listIn = (answer: unknown, name: string): readonly Listed[] => {
  const list = isRecord(answer) ? answer[name] : undefined;
  if (Array.isArray(list) && list.every(isRecord)) return list;
  throw new OddService(`The service answers without a list of ${name}.`);
};

/** The pages of a list, until an empty one. @throws OddService for a list without end */
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

/** Keeps each entry of a service once. */
class Shelf {
  readonly #entries = { users: new Map<string, Fields>(), rooms: new Map<string, Fields>() };
  readonly #limits: ReadLimits;
  #letters = 0;

  constructor(limits: ReadLimits) {
    this.#limits = limits;
  }

  /** @throws OddService if it is too much */
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

  /** Adds what a record of a person does not have; unknown people are skipped. */
  setLanguage(id: unknown, given: string): void {
    const before = this.#entries.users.get(String(id));
    const language = languageFor([given], pageLanguages);
    if (before && language) this.#entries.users.set(String(id), { ...before, language });
  }

  all(kind: ImportKind): Fields[] {
    return [...this.#entries[kind].values()];
  }
}

/** Adds the languages that people have chosen, if the service knows them: no record has them. */
const addLanguages = async (client: Client, shelf: Shelf, signal: AbortSignal): Promise<void> => {
  const users = shelf.all("users");
  for (let from = 0; from < users.length; from += BULK) {
    const userIds = users.slice(from, from + BULK).map(({ id }) => String(id));
    const answer: unknown = await client
      .findUsers({ userIds, withLanguages: true }, { signal })
      .catch((error: unknown) => {
        if (error instanceof ParleyError && [400, 404, 405].includes(error.status)) return {};
        throw error;
      });
    if (!isRecord(answer) || answer.languages === undefined) return;
    for (const { userId, language } of listIn(answer, "languages")) {
      if (typeof language === "string") shelf.setLanguage(userId, language);
    }
  }
};

const readPeople = async (client: Client, shelf: Shelf, signal: AbortSignal): Promise<void> => {
  const options = { signal };
  const active = listIn(await client.fetchUsers({}, options), "users");
  for (const user of active) shelf.add("users", user.id, user);
  const revoked = listIn(await client.fetchRevokedUsers({}, options), "users");
  const roles = new Set(revoked.map(({ role }) => String(role)));
  if (roles.size > MOST_ROLES) throw new OddService("The service names too many roles.");
  // The full list of revoked people has fewer fields than the pages, which need a role.
  for (const role of roles) {
    const ask = (page: number) => client.listRevokedUsers({ role, limit: 100, page }, options);
    for await (const users of pagesIn(ask, "users", "id")) {
      for (const user of users) shelf.add("users", user.id, user);
    }
  }
  await addLanguages(client, shelf, signal);
};

/** Reads everything that moves; owners of rooms by their emails, if the service knows them. */
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
 * Reads everything that moves, within an hour and bounded memory.
 *
 * @throws OddService if the service does not answer as the interface says, or answers without end
 */
export const readContent = async (client: Client, limits: ReadLimits = usual): Promise<Content> => {
  const signal = AbortSignal.timeout(limits.milliseconds);
  try {
    return await readAll(client, new Shelf(limits), signal);
  } catch (error) {
    throw signal.aborted ? new OddService("The service did not name everything in time.") : error;
  }
};
