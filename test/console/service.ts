import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildConsole } from "../../console/build.ts";
import { type Client, createClient } from "../../contract/client.ts";
import { readConfig } from "../../server/config.ts";
import { startParley } from "../../server/main.ts";

const email = "admin@example.org";
const password = "the quiet harbour at dawn";
const dist = fileURLToPath(new URL("../../console/dist", import.meta.url));

/** A service of its own with the built console, on an empty SQLite file. */
export interface House {
  readonly url: string;
  readonly admin: { readonly email: string; readonly password: string };
  /** The typed client with the administrator's token. */
  readonly client: Client;
  readonly adminId: string;
  stop(): Promise<void>;
}

/** @param more environment variables beside what every house has */
export const startHouse = async (more: Readonly<Record<string, string>> = {}): Promise<House> => {
  await buildConsole();
  const folder = await mkdtemp(join(tmpdir(), "parley-console-"));
  const config = readConfig({
    DATA_DIR: folder,
    PORT: "0",
    RATE_LIMIT: "0",
    LOG_LEVEL: "silent",
    PARLEY_ADMIN_EMAIL: email,
    PARLEY_ADMIN_PASSWORD: password,
    ...more,
  });
  const service = await startParley(config, { console: { folder: dist } });
  const { token, user } = await createClient({ baseUrl: service.url }).signIn({
    login: email,
    password,
  });
  return {
    url: service.url,
    admin: { email, password },
    client: createClient({ baseUrl: service.url, token }),
    adminId: user.id,
    stop: async () => {
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
