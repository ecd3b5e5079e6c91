import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import type { z } from "zod";
import { operations } from "../contract/index.ts";
import type { Operation } from "../contract/operation.ts";
import { createAccessKey } from "../server/access/access-keys.ts";
import { createOrganization, type Plan } from "../server/access/organizations.ts";
import { readConfig } from "../server/config.ts";
import { openDatabase } from "../server/db/open.ts";
import { startParley } from "../server/main.ts";

/** What a test sees of an answer. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: bodies are held against schemas and literals.
  readonly body: any;
}

export interface AskOptions {
  /** Null: none. Left out: the organization's. */
  readonly token?: string | null | undefined;
  readonly headers?: Record<string, string>;
}

/** `ask("POST /api/user/orgUser", body)` */
export type Ask = (request: string, body?: unknown, options?: AskOptions) => Promise<Answer>;

const patterns = (Object.values(operations) as readonly Operation[]).map((operation) => ({
  operation,
  pattern: new RegExp(`^${operation.method} ${operation.path.replace(/:[^/]+/g, "[^/]+")}$`),
}));

/** Holds a success against the contract: its status, and exactly its keys. */
const holdToContract = (request: string, { status, body }: Answer): void => {
  const route = request.split("?", 1)[0] ?? "";
  const found = patterns.find(({ pattern }) => pattern.test(route));
  if (!found || status >= 300) return;
  assert.equal(status, found.operation.status, request);
  (found.operation.reply as z.ZodType).parse(body);
};

export const askAt =
  (url: string, ownToken: string | null): Ask =>
  async (request, body, { token = ownToken, headers = {} } = {}) => {
    const [method = "", path = ""] = request.split(" ", 2);
    const response = await fetch(url + path, {
      method,
      headers: {
        "content-type": "application/json",
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const answer = {
      status: response.status,
      headers: response.headers,
      body: await response.json(),
    };
    holdToContract(request, answer);
    return answer;
  };

/** An organization of a test, and how to ask as its access key. */
export interface TestOrganization {
  readonly id: string;
  readonly name: string;
  readonly token: string;
  readonly accessKey: { readonly accessKey: string; readonly secretAccessKey: string };
  readonly ask: Ask;
}

const begin = async (env: Record<string, string>) => {
  const dataDir = await mkdtemp(join(tmpdir(), "parley-users-"));
  const databaseUrl: Record<string, string> = {};
  const ends: (() => unknown)[] = [() => rm(dataDir, { recursive: true, force: true })];
  if (process.env["TEST_DATABASE"] === "postgres") {
    const { createDatabase } = await import("./postgres.ts");
    const { url, drop } = await createDatabase();
    ends.push(drop);
    databaseUrl["DATABASE_URL"] = url;
    databaseUrl["PARLEY_SECRET"] = "5".repeat(64);
  }
  const log: string[] = [];
  const config = readConfig({ DATA_DIR: dataDir, PORT: "0", ...databaseUrl, ...env });
  const parley = await startParley(config, { logTo: { write: (line) => log.push(line) } });
  ends.push(() => parley.stop());
  return {
    url: parley.url,
    dataDir,
    log,
    config,
    stop: async () => {
      for (const end of ends.reverse()) await end();
    },
  };
};

/** A service for the tests of one file, empty but for what the first start makes. */
export const startPlace = async (env: Record<string, string> = {}) => {
  const service = await begin(env);
  const database = await openDatabase(service.config);
  after(async () => {
    await database.close();
    await service.stop();
  });
  const { url } = service;
  const open = askAt(url, null);

  /** A new organization with an access key, made as the command line makes them. */
  const organization = async (
    name: string,
    plan: Partial<Plan> = {},
  ): Promise<TestOrganization> => {
    const [made, accessKey] = await database.change(async (tx) => {
      const row = await createOrganization(tx, name, plan);
      return [row, await createAccessKey(tx, row.id, row.created_at)] as const;
    });
    const { body } = await open("POST /api/siteSetting/getAuthToken", accessKey);
    const { token } = body.authToken;
    return { id: made.id, name: made.name, token, accessKey, ask: askAt(url, token) };
  };
  return { ...service, database, open, organization };
};
