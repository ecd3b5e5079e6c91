import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { buildConsole } from "../../console/build.ts";
import { type Client, createClient } from "../../contract/client.ts";
import type { Captures } from "../../server/capture/captures.ts";
import { type Change, openOrganization, operator } from "../../server/change/organization.ts";
import { readConfig } from "../../server/config/config.ts";
import { type Database, openDatabase } from "../../server/db/open.ts";
import { startParley } from "../../server/main.ts";
import { importTwin, type Twin } from "../twins/twin.ts";

const email = "admin@example.org";
const password = "the quiet harbour at dawn";
const dist = fileURLToPath(new URL("../../console/dist", import.meta.url));

interface Limits {
  readonly rooms?: number | null;
  readonly users?: number | null;
}

/** A separate service with the built console, on an empty SQLite file. */
export interface ConsoleService {
  readonly url: string;
  readonly dataDir: string;
  readonly admin: { readonly email: string; readonly password: string };
  /** The typed client with the administrator's token. */
  readonly client: Client;
  readonly adminId: string;
  readonly captures: Captures;
  /** The database, opened beside the running service. */
  readonly database: Database;
  /** Writes to the database beside the running service, as the command line does. */
  change<T>(rule: (change: Change) => Promise<T>): Promise<T>;
  /** Lets the administrator enter a room under a name; the room is then in use. */
  enter(room: string, person: string): Promise<void>;
  /** Takes the seat of a ticket until the service stops. */
  sit(ticket: string): Promise<void>;
  /** Sets the limits of the plan. */
  limit(limits: Limits): Promise<void>;
  stop(): Promise<void>;
}

/** Like `fetch`, but repeats a request while the service on a busy machine rejects it as overload. */
export const patientFetch: typeof fetch = async (...request) => {
  for (;;) {
    const answer = await fetch(...request);
    if (answer.status !== 503) return answer;
    const { code } = (await answer.clone().json()) as { readonly code?: string };
    if (code !== "overloaded") return answer;
    await sleep(Number(answer.headers.get("retry-after") ?? 1) * 1000);
  }
};

/**
 * @param more environment variables in addition to those of every test service
 * @param twin the broken service that runs instead of the real one
 * @param pages the folder of other pages than those of the console
 */
export const startConsoleService = async (
  more: Readonly<Record<string, string>> = {},
  twin?: Twin,
  pages = dist,
): Promise<ConsoleService> => {
  await buildConsole();
  const folder = more.DATA_DIR ?? (await mkdtemp(join(tmpdir(), "parley-console-")));
  const config = readConfig({
    DATA_DIR: folder,
    PORT: "0",
    RATE_LIMIT: "0",
    LOG_LEVEL: "silent",
    PARLEY_ADMIN_EMAIL: email,
    PARLEY_ADMIN_PASSWORD: password,
    ...more,
  });
  const start = twin ? (await importTwin(twin)).startParley : startParley;
  const service = await start(config, { console: { folder: pages } });
  const reach = { baseUrl: service.url, fetch: patientFetch };
  const { token, user } = await createClient(reach).signIn({ login: email, password });
  const client = createClient({ ...reach, token });
  const { id } = (await client.getOrganization()).organization;
  // A second connection beside the running service, as the command line opens it.
  const database = await openDatabase(config);
  // The settings of earlier organizations (test/world/tenant.ts).
  await client.editOrganization({ binDays: null, ownersMay: "nothing" });
  const sockets: WebSocket[] = [];
  const change: ConsoleService["change"] = (rule) =>
    openOrganization(database, id, operator).change(rule);
  const sit: ConsoleService["sit"] = async (ticket) => {
    const socket = new WebSocket(`${service.url.replace(/^http/, "ws")}/api/meeting/socket`);
    sockets.push(socket);
    await new Promise((resolve, reject) => {
      socket.onerror = () => reject(new Error("The meeting socket did not open."));
      socket.onopen = () => socket.send(JSON.stringify({ ticket }));
      socket.onmessage = resolve;
    });
  };
  return {
    url: service.url,
    dataDir: folder,
    change,
    admin: { email, password },
    client,
    adminId: user.id,
    captures: service.captures,
    database,
    async enter(roomId, peerName) {
      await sit((await client.joinRoom({ roomId, peerName })).ticket);
    },
    sit,
    limit: ({ rooms, users }) =>
      change(async ({ tx }) => {
        await tx
          .updateTable("organizations")
          .set({
            ...(rooms === undefined ? {} : { max_rooms: rooms }),
            ...(users === undefined ? {} : { max_users: users }),
          })
          .where("id", "=", id)
          .execute();
      }),
    stop: async () => {
      for (const socket of sockets) socket.close();
      await database.close();
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
