// Runs: postgres, complete

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chownSync, existsSync, globSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { promisify } from "node:util";
import { Client } from "pg";
import { identity, temporaryFolder } from "../run/postgres-binaries.ts";
import { emptyPlace, type Scope } from "../world/empty-database.ts";
import { freePort } from "../world/free-port.ts";
import { until } from "../world/process.ts";
import { environmentOf, parley } from "./command-line.ts";
import { addFilm } from "./kept.ts";
import { contents, fill, opened } from "./rows.ts";

/** Debian's PostgreSQL, because the one of the other tests has no pg_basebackup. */
const programs = globSync("/usr/lib/postgresql/*/bin").findLast((folder) =>
  ["initdb", "postgres", "pg_basebackup"].every((name) => existsSync(join(folder, name))),
);
const skip = programs === undefined && "Debian's postgresql is not installed";

const run = promisify(execFile);

/** A server with an archive of its log (WAL), as docs/operating.md describes it. */
const startArchiving = async (t: Scope) => {
  const who = identity();
  const folder = mkdtempSync(join(temporaryFolder(), "parley-archive-"));
  const [data, base, archive] = ["data", "base", "archive"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const password = randomBytes(16).toString("hex");
  writeFileSync(join(folder, "password"), password);
  mkdirSync(archive);
  if (who.uid !== undefined) {
    for (const path of [folder, archive]) chownSync(path, who.uid, who.gid ?? who.uid);
  }
  const around = { ...who, cwd: folder, env: { LC_ALL: "C", PGPASSWORD: password } };
  const program = (name: string): string => join(programs ?? "", name);
  const words = ["-D", data, "-U", "postgres", "--auth=scram-sha-256"];
  await run(program("initdb"), [...words, `--pwfile=${folder}/password`, "-E", "UTF8"], around);
  const port = await freePort();
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  let end = async (): Promise<void> => {};
  t.after(async () => {
    await end();
    await rm(folder, { recursive: true, force: true });
  });
  const ask = async (sql: string): Promise<string> => {
    const client = new Client({ connectionString: url });
    client.on("error", () => {});
    await client.connect();
    try {
      return String(Object.values((await client.query(sql)).rows[0] ?? {})[0]);
    } finally {
      await client.end();
    }
  };
  const start = async (from: string, settings: Readonly<Record<string, string>>): Promise<void> => {
    const all = {
      listen_addresses: "127.0.0.1",
      unix_socket_directories: "",
      port: String(port),
      ...settings,
    };
    const flags = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const server = spawn(program("postgres"), ["-D", from, ...flags], {
      ...around,
      stdio: "ignore",
    });
    const gone = once(server, "exit");
    end = async () => {
      server.kill("SIGQUIT");
      await gone;
    };
    const isWriting = () => ask("select pg_is_in_recovery()").then((said) => said === "false");
    await until("PostgreSQL takes changes", () => isWriting().catch(() => false));
  };
  return {
    url,
    ask,
    start: () =>
      start(data, {
        wal_level: "replica",
        archive_mode: "on",
        archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f.part && mv ${archive}/%f.part ${archive}/%f`,
      }),
    /** The base backup, which a timer makes every night. */
    backUp: () =>
      run(
        program("pg_basebackup"),
        ["-D", base, "-h", "127.0.0.1", "-p", String(port), "-U", "postgres", "-c", "fast"],
        around,
      ),
    /** Everything up to now is in the archive; then the machine is lost. */
    lose: async () => {
      const last = await ask("select pg_walfile_name(pg_switch_wal())");
      await until("the log is archived", () => existsSync(join(archive, last)));
      await end();
      await rm(data, { recursive: true });
    },
    restoreTo: async (moment: string) => {
      writeFileSync(join(base, "recovery.signal"), "");
      await start(base, {
        restore_command: `cp ${archive}/%f %p`,
        recovery_target_time: moment,
        recovery_target_action: "promote",
      });
    },
  };
};

const renameRoom = (place: Awaited<ReturnType<typeof emptyPlace>>, id: string, name: string) =>
  opened(place, (database) =>
    database.change((tx) => tx.updateTable("rooms").set({ name }).where("id", "=", id).execute()),
  );

test("P-OPS-9: a database is restored to a moment between two changes, exactly", {
  skip,
}, async (t: TestContext) => {
  const server = await startArchiving(t);
  await server.start();
  const { dataDir } = await emptyPlace(t, { on: "sqlite" });
  const place = { databaseUrl: server.url, dataDir };
  await fill(place, 30);
  await server.backUp();
  await renameRoom(place, "r3", "after the base backup");
  await addFilm(place, "film-1");
  const wanted = await contents(place);
  const moment = await server.ask("select clock_timestamp()::text");
  await renameRoom(place, "r3", "by mistake");
  await opened(place, (database) =>
    database.change((tx) => tx.deleteFrom("recordings").where("id", "=", "film-1").execute()),
  );
  assert.notDeepEqual(await contents(place), wanted);
  await server.lose();
  await server.restoreTo(moment);
  assert.deepEqual(await contents(place), wanted);
  const { code, said } = await parley(environmentOf(place), "org", "list");
  assert.equal(code, 0, said);
});
