// Runs: postgres, complete

import assert from "node:assert/strict";
import { chownSync, copyFileSync, mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { isRefusedAccess } from "../../server/db/errors.ts";
import { openDatabase } from "../../server/db/open.ts";
import { failure, outcome, run, startFailure } from "../cli/run.ts";
import { startPostgres } from "../run/postgres.ts";
import { identity, temporaryFolder } from "../run/postgres-binaries.ts";
import { openCertificates, withoutOpenssl } from "../world/certificates.ts";
import { openHouse } from "../world/house.ts";

test("sslmode means what it means to libpq, for the service and for commands", {
  skip: withoutOpenssl,
}, async (t) => {
  const { folder, make } = await openCertificates(t);
  const authority = make("authority");
  const right = make("right", { by: authority });
  const elsewhere = make("elsewhere", { by: authority, names: "DNS:db.example.org" });
  const who = identity();
  const theirs = mkdtempSync(join(temporaryFolder(), "parley-tls-"));
  t.after(() => rm(theirs, { recursive: true, force: true }));
  const placed = (name: string, from: string): string => {
    const path = join(theirs, name);
    copyFileSync(from, path);
    if (who.uid !== undefined) chownSync(path, who.uid, who.gid ?? who.uid);
    return path;
  };
  if (who.uid !== undefined) chownSync(theirs, who.uid, who.gid ?? who.uid);
  const certificate = ({ cert, key }: typeof right) => ({
    ssl: "on",
    ssl_cert_file: placed("server.pem", cert),
    ssl_key_file: placed("server.key", key),
  });
  const server = await startPostgres(certificate(right));
  t.after(() => server.stop());
  const house = await openHouse(t, { server });
  const { DATABASE_URL = "", DATA_DIR: dataDir = "" } = house.environment;

  /** Returns whether a connection is encrypted; "refused" if it does not come about because of TLS. */
  const connected = async (query: string): Promise<boolean | "refused"> => {
    const database = await openDatabase(
      { databaseUrl: DATABASE_URL + query, dataDir },
      { poolSize: 2 },
    );
    try {
      const { rows } = await sql<{ readonly ssl: boolean }>`
        select ssl from pg_stat_ssl where pid = pg_backend_pid()`.execute(database.read);
      return rows[0]?.ssl ?? false;
    } catch (error) {
      assert.ok(isRefusedAccess(error), String(error));
      return "refused";
    } finally {
      await database.close();
    }
  };
  const root = `&sslrootcert=${authority.cert}`;
  const other = `&sslrootcert=${make("other").cert}`;
  const table = async () => ({
    none: await connected(""),
    disable: await connected("?sslmode=disable"),
    require: await connected("?sslmode=require"),
    "require, this authority": await connected(`?sslmode=require${root}`),
    "require, another authority": await connected(`?sslmode=require${other}`),
    "verify-ca": await connected(`?sslmode=verify-ca${root}`),
    "verify-ca, another authority": await connected(`?sslmode=verify-ca${other}`),
    "verify-full": await connected("?sslmode=verify-full"),
    "verify-full, this authority": await connected(`?sslmode=verify-full${root}`),
  });
  const expected: Awaited<ReturnType<typeof table>> = {
    none: false,
    disable: false,
    require: true,
    "require, this authority": true,
    "require, another authority": "refused",
    "verify-ca": true,
    "verify-ca, another authority": "refused",
    "verify-full": "refused",
    "verify-full, this authority": true,
  };
  assert.deepEqual(await table(), expected);

  const withUrl = (query: string) => ({
    ...house.environment,
    RECORDERS: "0",
    DATABASE_URL: DATABASE_URL + query,
  });
  assert.match(await startFailure(1, withUrl("?sslmode=verify-full")), /certificate/);
  const doctor = await outcome(withUrl("?sslmode=verify-full"), "doctor");
  assert.equal(doctor.code, 1);
  assert.match(doctor.out, /certificate/);
  const listed = await run(withUrl("?sslmode=require"), "org", "list");
  assert.equal(listed.code, 0, listed.err);
  assert.doesNotMatch(listed.err, /warning/i);

  await server.crash();
  await server.start(certificate(elsewhere));
  assert.deepEqual(await table(), { ...expected, "verify-full, this authority": "refused" });
  await server.crash();
  await server.start({ ssl: "off" });
  assert.equal(await connected("?sslmode=require"), "refused");
  assert.match(await startFailure(1, withUrl("?sslmode=require")), /does not support SSL/);

  const junk = join(folder, "junk.pem");
  writeFileSync(junk, "junk");
  for (const [query, said] of [
    ["?sslmode=prefer", /sslmode=prefer; accepted: disable, require/],
    ["?sslmode=allow", /sslmode=allow; accepted/],
    ["?sslmode=no-verify", /sslmode=no-verify; accepted/],
    ["?ssl=false", /ssl; accepted: sslmode/],
    ["?sslmode=verify-ca", /verify-ca without sslrootcert/],
    ["?sslmode=require&sslrootcert=/nowhere/ca.pem", /\/nowhere\/ca.pem, .*\(ENOENT\)/],
    [`?sslmode=require&sslrootcert=${junk}`, /junk.pem, which is no PEM certificate/],
    [`?sslmode=require&sslcert=${right.cert}`, /one of sslcert and sslkey/],
    [`?sslmode=require&sslcert=${right.cert}&sslkey=/nowhere/key`, /\/nowhere\/key, .*\(ENOENT\)/],
    [`?sslmode=require&sslcert=${right.cert}&sslkey=${authority.key}`, /is not the key/],
  ] as const) {
    const { out, err } = await outcome(withUrl(query), "doctor");
    assert.match(out + err, said, query);
    const copied = await failure(1, house.environment, "copy", "--to", DATABASE_URL + query);
    assert.match(copied, said);
  }
});
