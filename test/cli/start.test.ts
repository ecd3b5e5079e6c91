// Runs: sqlite, first

import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chown, stat } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { readConfig } from "../../server/config/config.ts";
import { openDatabase } from "../../server/db/open.ts";
import { startParley } from "../../server/main.ts";
import { testTwin } from "../twins/test-twin.ts";
import type { Twin } from "../twins/twin.ts";
import {
  type CertificateFiles,
  openCertificates,
  servedWith,
  trust,
  withoutOpenssl,
} from "../world/certificates.ts";
import { emptyPlace } from "../world/empty-database.ts";
import { freePort } from "../world/free-port.ts";
import { openHouse } from "../world/house.ts";
import { startProcess, until } from "../world/process.ts";
import { onlyComplete } from "../world/seed.ts";
import { startWorld } from "../world/world.ts";
import {
  begin,
  block,
  type Environment,
  end,
  environmentOf,
  started,
  startFailure,
  value,
} from "./run.ts";

const NOBODY = 65_534;
const skip =
  (process.getuid?.() !== 0 || !existsSync("/proc/self/fd")) &&
  "needs root, and a system with /proc";

const losesLocks: Twin = {
  name: "opens the files that it gives away",
  replaced: [
    { file: "cli/give-to-owner.ts", lines: "O_PATH | O_NOFOLLOW", by: "O_RDONLY | O_NOFOLLOW" },
  ],
};

const line = (out: string, name: string): string =>
  new RegExp(`^ {2}${name} {2,}(.*)$`, "m").exec(out)?.[1] ?? "";

/** The first start's creations, in this process. */
const firstStartIn = async (env: Environment) => {
  const parley = await startParley(readConfig(env), { logTo: { write: () => {} } });
  await parley.stop();
  return parley.firstStart;
};

const token = async (url: string, keys: object) => {
  const answer = await fetch(`${url}/api/siteSetting/getAuthToken`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(keys),
  });
  return answer.status;
};

test("the first start shows the credentials once, later starts only the addresses; its data belongs to its owner", async (t) => {
  const place = await emptyPlace(t);
  const dataDir = join(place.dataDir, "data");
  const env = { ...environmentOf(place), DATA_DIR: dataDir };
  // As people start it: other tests run the compiled program (test/run/program.ts).
  const { TEST_PROGRAM } = process.env;
  delete process.env.TEST_PROGRAM;
  const first = await started(t, env);
  if (TEST_PROGRAM !== undefined) process.env.TEST_PROGRAM = TEST_PROGRAM;
  const out = first.out();
  assert.equal(out.match(block)?.length, 1);
  assert.match(line(out, "Organization"), /^My organization \([0-9a-f-]{36}\)$/);
  assert.match(line(out, "Username"), /^administrator_\d{6}$/);
  assert.equal(line(out, "Interface"), `${first.url}/api`);
  assert.equal(line(out, "Documentation"), `${first.url}/docs`);
  for (const path of ["/docs", "/openapi.json", "/healthz", "/readyz"]) {
    const answer = await fetch(first.url + path);
    assert.equal(answer.status, 200, path);
    await answer.body?.cancel();
  }
  const accessKey = line(out, "Access key");
  const secretAccessKey = line(out, "Secret access key");
  assert.equal(await token(first.url, { accessKey, secretAccessKey }), 200);
  const session = await fetch(`${first.url}/api/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ login: line(out, "Administrator"), password: line(out, "Password") }),
  });
  assert.equal(session.status, 200);
  const { code, err } = await end(first);
  assert.equal(code, 0);
  assert.doesNotMatch(err, new RegExp(secretAccessKey));
  assert.doesNotMatch(out, /camera/);
  assert.equal((await stat(dataDir)).mode & 0o777, 0o700);
  assert.equal((await stat(join(dataDir, "secret.key"))).mode & 0o777, 0o600);

  const second = await started(t, env);
  assert.doesNotMatch(second.out(), block);
  assert.match(second.out(), /^Parley is ready\.\n/);
  assert.equal(await token(second.url, { accessKey, secretAccessKey }), 200);
});

test("a given password is not shown, and a PUBLIC_URL by which others reach the service is", {
  skip: onlyComplete,
}, async (t) => {
  const given = {
    PARLEY_ADMIN_EMAIL: "ann@example.org",
    PARLEY_ADMIN_PASSWORD: "a fine long password",
    HOST: "0.0.0.0",
    PUBLIC_URL: "https://meet.example.org/",
  };
  const env = { ...environmentOf(await emptyPlace(t)), ...given };
  const out = (await started(t, env)).out();
  assert.equal(line(out, "Administrator"), "ann@example.org");
  assert.equal(line(out, "Password"), "the one in PARLEY_ADMIN_PASSWORD");
  assert.doesNotMatch(out, /a fine long password/);
  assert.equal(line(out, "Interface"), "https://meet.example.org/api");
  assert.doesNotMatch(out, /emails would link to|camera/);
});

test("with --json, standard output is one value and the log goes to standard error", {
  skip: onlyComplete,
}, async (t) => {
  const env = { ...environmentOf(await emptyPlace(t)), HOST: "0.0.0.0" };
  const service = await started(t, env, "--json");
  // A change is logged, even if it is refused.
  assert.equal(await token(service.url, { accessKey: "a", secretAccessKey: "b" }), 401);
  const { code, out, err } = await end(service);
  assert.equal(code, 0);
  const answer = JSON.parse(out);
  assert.equal(answer.openApi, `${answer.url}/openapi.json`);
  assert.match(answer.firstStart.accessKey.secretAccessKey, /^[0-9a-f]{64}$/);
  const [emails, camera, ...more] = answer.notices;
  assert.match(emails, /^HOST is 0\.0\.0\.0 and PUBLIC_URL is not set: emails would link to http/);
  assert.match(camera, /^Browsers give no camera and no microphone at http:.* TLS_CERT /);
  assert.deepEqual(more, []);
  assert.match(err, /"msg":"answered"/);
});

test("where people use no https, the start warns that cameras will not work, with the remedy", {
  skip: onlyComplete,
}, async (t) => {
  const env = environmentOf(await emptyPlace(t));
  const said = async (more: Readonly<Record<string, string>>): Promise<string> => {
    const service = await started(t, { ...env, ...more });
    return (await end(service)).out;
  };
  const line =
    /^Browsers give no camera and no microphone at http:\/\/meet\.example\.org: .* Set TLS_CERT and TLS_KEY, .* or put a proxy with TLS in front/m;
  assert.match(await said({ PUBLIC_URL: "http://meet.example.org" }), line);
  // No address and an https address are covered by the tests above.
  assert.doesNotMatch(await said({ PUBLIC_URL: "http://localhost:3000" }), /camera/);
});

test("with a certificate every address that the start shows is https, and works", {
  skip: withoutOpenssl || onlyComplete,
}, async (t) => {
  const files = (await openCertificates(t)).make("own");
  await trust(files);
  const env = { ...environmentOf(await emptyPlace(t)), ...servedWith(files) };
  const service = await started(t, env);
  assert.match(service.url, /^https:/);
  assert.equal(line(service.out(), "Interface"), `${service.url}/api`);
  assert.equal((await fetch(`${service.url}/readyz`)).status, 200);
  assert.doesNotMatch(service.out(), /camera/);
  assert.equal((await end(service)).code, 0);
});

test("an unusable certificate ends the start before anything is created", {
  skip: withoutOpenssl || onlyComplete,
}, async (t) => {
  const { make } = await openCertificates(t);
  const { cert } = make("own");
  const place = await emptyPlace(t);
  const dataDir = join(place.dataDir, "data");
  const env = { ...environmentOf(place), DATA_DIR: dataDir };
  const wrong: [files: CertificateFiles, problem: RegExp][] = [
    [{ cert, key: make("other").key }, /^TLS_KEY is ".*", which is not the key of the certificate/],
    [{ cert, key: `${cert}.not` }, /^TLS_KEY is ".*", which cannot be read \(ENOENT\); accepted: /],
    [{ cert: make("own").key, key: cert }, /^TLS_CERT is ".*", which holds no certificate; /],
  ];
  for (const [files, problem] of wrong) {
    assert.match(await startFailure(1, { ...env, ...servedWith(files) }), problem);
  }
  await assert.rejects(stat(dataDir), { code: "ENOENT" });
});

test("the first start creates no account if the command line has created one", {
  skip: onlyComplete,
}, async (t) => {
  const env = environmentOf(await emptyPlace(t));
  await value(env, "migrate");
  await value(env, "org", "create", "My organization");
  const ann = ["--name", "Ann", "--email", "ann@example.org", "--org", "My organization"];
  await value(env, "user", "create-admin", ...ann);
  assert.equal(await firstStartIn(env), undefined);
});

test("an organization made at the command line keeps its name", {
  skip: onlyComplete,
}, async (t) => {
  const env = environmentOf(await emptyPlace(t));
  await value(env, "migrate");
  await value(env, "org", "create", "my organization");
  assert.equal((await firstStartIn(env))?.organization.name, "My organization 2");
});

test("a port in use is reported in one clear line, and the first password is still shown", async (t) => {
  const port = await freePort();
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const env = { ...environmentOf(await emptyPlace(t)), PORT: String(port) };
  const { code, out, err } = await begin(env, ["start"]).ended;
  assert.equal(code, 1);
  assert.equal(out.match(block)?.length, 1);
  assert.match(
    err,
    new RegExp(`^parley: The address 127\\.0\\.0\\.1:${port} is taken .* set PORT`, "m"),
  );
  assert.doesNotMatch(err, /^ {4}at /m);
  assert.doesNotMatch((await begin(env, ["start"]).ended).out, block);
});

test("the first password is shown even if the service is stopped before it serves", {
  skip: onlyComplete,
}, async (t) => {
  const place = await emptyPlace(t);
  const begun = begin(environmentOf(place), ["start"]);
  const database = await openDatabase(place);
  t.after(() => database.close());
  const isMade = () =>
    database.read
      .selectFrom("organizations")
      .select("id")
      .executeTakeFirst()
      // The table does not exist at first.
      .catch(() => undefined);
  await until("an organization is made", async () => (await isMade()) !== undefined);
  begun.child.kill("SIGTERM");
  assert.equal((await begun.ended).out.match(block)?.length, 1);
});

test("a second service on one SQLite file is refused in one line", {
  skip: onlyComplete,
}, async (t) => {
  const { environment } = await startWorld(t);
  assert.match(
    await startFailure(1, environment),
    /Another Parley serves \S+ already\. Stop it first, .* with DATA_DIR\./,
  );
});

/** A service of root in another user's data folder, and a second one there. */
const holdsTheFolder = async (t: TestContext, twin?: Twin): Promise<void> => {
  const { environment } = await openHouse(t);
  const { dataDir } = readConfig(environment);
  await chown(dataDir, NOBODY, NOBODY);
  await startProcess(t, environment, { twin });
  assert.equal((await stat(join(dataDir, "parley.db"))).uid, NOBODY);
  const second = begin(environment, ["start"]);
  t.after(() => second.child.kill("SIGKILL"));
  const isRefused = () => /Another Parley serves \S+ already/.test(second.err());
  const isDecided = () => isRefused() || second.out().includes("Parley is ready");
  await until("the second one is refused, or serves", isDecided);
  assert.ok(isRefused(), "a second service serves");
};

test("a service that root starts in another user's data folder locks it too", { skip }, (t) =>
  holdsTheFolder(t),
);

testTwin(
  "a twin that opens files to give them to their owner, and loses its locks on them, is detected",
  async (t) => {
    await assert.rejects(holdsTheFolder(t, losesLocks), /a second service serves/);
  },
  { skip, onSqlite: true },
);

test("a sealing key that is not the database's is refused in one line", async (t) => {
  const env = { ...environmentOf(await emptyPlace(t)), PARLEY_SECRET: "1".repeat(64) };
  await firstStartIn(env);
  const error = await startFailure(1, { ...env, PARLEY_SECRET: "2".repeat(64) });
  assert.match(error, /^PARLEY_SECRET does not open what is stored in the database/);
});

// One SIGINT: cli/signals. A second SIGTERM: faults/drain.
test("a second SIGINT stops the service at once", { skip: onlyComplete }, async (t) => {
  const env = environmentOf(await emptyPlace(t));
  const slow = await started(t, { ...env, DRAIN_SECONDS: "30" });
  slow.child.kill("SIGINT");
  // Signals in quick succession count as one.
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.equal(slow.child.exitCode, null);
  slow.child.kill("SIGINT");
  assert.equal((await slow.ended).code, 1);
});
