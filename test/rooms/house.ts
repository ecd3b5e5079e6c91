import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { operations } from "../../contract/index.ts";
import type { Operation } from "../../contract/operation.ts";
import { createAccessKey } from "../../server/access/access-keys.ts";
import { type Holder, issueToken } from "../../server/access/tokens.ts";
import { readConfig } from "../../server/config.ts";
import { type Database, openDatabase } from "../../server/db/open.ts";
import { uuid7 } from "../../server/id.ts";
import { startParley } from "../../server/main.ts";
import { type Change, openOrganization, operator } from "../../server/organization.ts";
import { createOrganization, type Plan } from "../../server/organizations/organizations.ts";
import { addUser } from "../../server/users/create.ts";

/** An answer as it came. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: bodies are held against schemas and literals.
  readonly body: any;
}

/** `send("PUT /api/roomSetting", body)`: a text is sent as it is, anything else as JSON. */
export type Send = (
  request: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Answer>;

/** A record as it is answered. */
// biome-ignore lint/suspicious/noExplicitAny: records are held against schemas and literals.
export type RoomAnswer = Record<string, any>;

export const ROOMS = "/api/roomSetting";

const patterns = (Object.values(operations) as readonly Operation[]).map((operation) => ({
  operation,
  pattern: new RegExp(`^${operation.method} ${operation.path.replace(/:[^/]+/g, "[^/]+")}$`),
}));

/** Holds a success against the contract: exactly its keys. */
const holdToContract = (request: string, { status, body }: Answer): void => {
  const [asked = ""] = request.split("?", 1);
  // The list comes after the fetch of a room, whose pattern is wider.
  const operation = patterns.findLast(({ pattern }) => pattern.test(asked))?.operation;
  if (operation && status < 300) operation.reply.parse(body);
};

/** Sends requests with a token, or without. */
export const sender =
  (url: string, token?: string): Send =>
  async (request, body, headers = {}) => {
    const [method = "", ...path] = request.split(" ");
    const response = await fetch(url + path.join(" "), {
      method,
      headers: {
        "content-type": "application/json",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const answer = { status: response.status, headers: response.headers, text, body: parse(text) };
    holdToContract(request, answer);
    return answer;
  };

const parse = (text: string): unknown => (text === "" ? undefined : JSON.parse(text));

/** Somebody with an account and a token. */
export interface Person {
  readonly id: string;
  readonly send: Send;
}

/** An organization of its own. */
export interface Home {
  readonly id: string;
  /** Sends as an access key of the organization. */
  readonly send: Send;
  /** The ID of an account that may own rooms. */
  readonly owner: string;
  /** Adds an account: no administrator unless said so. */
  person(more?: { readonly admin?: boolean; readonly name?: string }): Promise<Person>;
  /** Creates a room and gives its record. */
  room(fields?: object): Promise<RoomAnswer>;
  /** Runs a rule in this organization, beside the service. */
  change<T>(rule: (change: Change) => Promise<T>): Promise<T>;
  /** The record of a room as it is fetched. */
  fetched(room: string): Promise<RoomAnswer>;
  /** How many rooms the organization uses, as it is told. */
  used(): Promise<number>;
}

const nobodySignsIn = { password: "", digest: "" };

const makeHome = async (url: string, database: Database, plan: Partial<Plan>): Promise<Home> => {
  const id = await database.change(async (tx) => {
    const organization = await createOrganization(tx, `Organization ${uuid7()}`, plan);
    return organization.id;
  });
  const organization = openOrganization(database, id, operator);
  const as = (holder: Holder) =>
    organization.change(async ({ tx }) =>
      sender(url, (await issueToken(tx, holder, "access")).token),
    );
  const person: Home["person"] = async ({ admin = false, name = "Ann Lee" } = {}) => {
    const account = { name, admin, email: `${uuid7()}@example.org` };
    const added = await organization.change((change) => addUser(change, account, nobodySignsIn));
    return { id: added.id, send: await as({ organizationId: id, userId: added.id }) };
  };
  const { accessKey } = await organization.change(createAccessKey);
  const send = await as({ organizationId: id, accessKey });
  const { id: owner } = await person({ name: "Olga Owner" });
  return {
    id,
    send,
    owner,
    person,
    change: organization.change,
    async room(fields = {}) {
      const { status, body, text } = await send(`POST ${ROOMS}`, {
        name: "Board",
        roomOwnerId: owner,
        ...fields,
      });
      assert.equal(status, 201, text);
      return body.roomSetting;
    },
    async fetched(room) {
      const { status, body, text } = await send(`GET ${ROOMS}/${room}`);
      assert.equal(status, 200, text);
      return body.roomSetting;
    },
    async used() {
      return (await send("GET /api/organization")).body.organization.used.rooms;
    },
  };
};

/** A service for the tests of one file, its database opened beside it, and homes in it. */
export const openHouse = async (env: Readonly<Record<string, string>> = {}) => {
  const dataDir = await mkdtemp(join(tmpdir(), "parley-rooms-"));
  const ends: (() => Promise<unknown>)[] = [
    () => rm(dataDir, { recursive: true, force: true, maxRetries: 3 }),
  ];
  after(async () => {
    for (const end of ends.reverse()) await end();
  });
  const variables: Record<string, string> = { DATA_DIR: dataDir, PORT: "0", LOG_LEVEL: "warn" };
  if (process.env.TEST_DATABASE === "postgres") {
    const { createDatabase } = await import("../run/postgres.ts");
    const { url, drop } = await createDatabase();
    ends.push(drop);
    Object.assign(variables, { DATABASE_URL: url, PARLEY_SECRET: "5".repeat(64) });
  }
  const config = readConfig({ ...variables, ...env });
  const parley = await startParley(config);
  ends.push(() => parley.stop());
  const database = await openDatabase(config, { poolSize: 4 });
  ends.push(() => database.close());
  const { url } = parley;
  return {
    url,
    database,
    anyone: sender(url),
    home: (plan: Partial<Plan> = {}) => makeHome(url, database, plan),
  };
};
