// Runs: sqlite-first, complete, first

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { HistoryEntry } from "../../contract/history/history.ts";
import { askAs } from "../world/ask.ts";
import { emptyPlace, onPostgres } from "../world/empty-database.ts";
import { openHouse } from "../world/house.ts";
import { startProcess } from "../world/process.ts";
import { startWorld } from "../world/world.ts";
import { block, end, environmentOf, failure, run, started, value } from "./run.ts";

test("the command line works beside the running service, which sees its changes at once", async (t) => {
  const { environment: env } = await openHouse(t);
  const { url } = await startProcess(t, env);
  const ask = (method: string, path: string, token?: string, body?: unknown) =>
    askAs(url, token)(`${method} ${path}`, body);

  const acme = await value(env, "org", "create", "Acme", "--max-rooms", "1");
  assert.match(await failure(1, env, "org", "create", "ACME"), /already called "ACME"/);
  const keys = await value(env, "access-key", "create", "--org", acme.id);
  const exchanged = await ask("POST", "/api/siteSetting/getAuthToken", undefined, {
    accessKey: keys.accessKey,
    secretAccessKey: keys.secretAccessKey,
  });
  const { token } = exchanged.body.authToken;
  assert.equal((await ask("GET", "/api/organization", token)).body.organization.name, "Acme");

  const name = "Acme Europe";
  await value(env, "org", "set", "Acme", "--max-rooms", "none", "--name", name);
  const { organization } = (await ask("GET", "/api/organization", token)).body;
  assert.deepEqual([organization.name, organization.limits.rooms], [name, null]);

  const ann = ["--org", name, "--name", "Ann Lee", "--email", "ann@example.org"];
  const { username, password } = await value(env, "user", "create-admin", ...ann);
  const signIn = (login: string, given: string) =>
    ask("POST", "/api/session", undefined, { login, password: given });
  const session = await signIn(username, password);
  assert.equal(session.status, 200);

  const reset = await value(env, "user", "reset-password", "ANN@example.org");
  assert.equal((await ask("GET", "/api/organization", session.body.token)).status, 401);
  assert.equal((await signIn(username, password)).status, 401);
  assert.equal((await signIn("ann@example.org", reset.password)).status, 200);
  const emails = async (): Promise<string[]> =>
    (await ask("GET", "/api/letter", token)).body.letters.map((one: { kind: string }) => one.kind);
  assert.deepEqual(await emails(), ["sign-in-changed"], "no email has the password");

  const posted = await value(env, "user", "reset-password", "ann@example.org", "--letter");
  assert.equal(posted.letter, true);
  assert.equal((await signIn("ann@example.org", posted.password)).status, 200);
  const sent = ["password-reset", "sign-in-changed"];
  assert.deepEqual((await emails()).toSorted(), sent);
  const resets = await ask("GET", "/api/history?kind=passwordReset", token);
  assert.deepEqual(
    resets.body.entries.map(({ actor, subject }: HistoryEntry) => [actor.kind, subject.name]),
    [
      ["operator", "Ann Lee"],
      ["operator", "Ann Lee"],
    ],
  );

  await value(env, "access-key", "remove", keys.accessKey);
  assert.equal((await ask("GET", "/api/organization", token)).status, 401);

  assert.equal((await value(env, "doctor")).ok, true);
  assert.deepEqual(await value(env, "migrate"), { applied: [] });
});

test("a letter is never sealed with a key other than the service's", async (t) => {
  const { environment, first, open } = await startWorld(t);
  const env = { ...environment, PARLEY_SECRET: "1".repeat(64) };
  const { email, password } = first.admin;
  const error = await failure(1, env, "user", "reset-password", email, "--letter");
  assert.match(error, /PARLEY_SECRET does not open what is stored in the database/);
  assert.equal((await open("POST /api/session", { login: email, password })).status, 200);
});

test("the password of an unknown person cannot be reset", async (t) => {
  const { environment } = await startWorld(t);
  const error = await failure(1, environment, "user", "reset-password", "nobody@example.org");
  assert.equal(error, "There is no account with the email nobody@example.org.");
});

test("of four services that start at once on an empty database, one shows what it created", {
  skip: !onPostgres && "needs PostgreSQL",
}, async (t) => {
  const env = environmentOf(await emptyPlace(t));
  const all = await Promise.all([1, 2, 3, 4].map(() => started(t, env)));
  const blocks = all.flatMap(({ out }) => out().match(block) ?? []);
  assert.equal(blocks.length, 1);
  assert.equal((await value(env, "org", "list")).length, 1);
  const codes = await Promise.all(all.map(async (service) => (await end(service)).code));
  assert.deepEqual(codes, [0, 0, 0, 0]);
});

test("a command that opens the database names it, and where its settings come from", async (t) => {
  const place = await emptyPlace(t);
  const file = join(place.dataDir, "parley.env");
  const lines = Object.entries(environmentOf(place)).map(([name, text]) => `${name}='${text}'`);
  await writeFile(file, lines.join("\n"));
  const named = onPostgres ? /^Database: postgres:\/\/[^ @]+\. / : /^Database: .*parley\.db\. /;
  for (const words of ["migrate", "org create Acme", "org list", "backup FILE"]) {
    const args = words.replace("FILE", join(place.dataDir, "saved.db")).split(" ");
    const { code, err } = await run({}, ...args, "--env-file", file);
    assert.equal(code, 0, err);
    assert.match(err, named);
    assert.ok(err.includes(`Settings: ${file}.\n`), err);
  }
  const json = await run({ PARLEY_ENV_FILE: file }, "org", "list", "--json");
  assert.deepEqual([json.err, JSON.parse(json.out)[0].name], ["", "Acme"]);
  const { checks } = await value({ PARLEY_ENV_FILE: file }, "doctor");
  const settings = checks.find(({ name }: { name: string }) => name === "settings");
  assert.ok(settings.found.startsWith(`from ${file};`), settings.found);
  assert.equal((await value({ PARLEY_ENV_FILE: file }, "config")).file, file);
  assert.match(
    (await run({ PARLEY_ENV_FILE: file }, "config")).out,
    new RegExp(`^Settings: ${file}\\.$`, "m"),
  );
});
