// Runs: sqlite, always

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { appendFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { parseEnv } from "node:util";
import { Ajv } from "ajv";
import { parse } from "yaml";
import packageJson from "../../package.json" with { type: "json" };
import lock from "../../package-lock.json" with { type: "json" };
import { readConfig } from "../../server/config/config.ts";
import { variables } from "../../server/config/variables.ts";
import { archives } from "../../server/media/release.ts";
import { composeText, composeVariables, readCompose } from "./compose.ts";
import schema from "./compose-spec.json" with { type: "json" };

const read = (name: string): string =>
  readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");

/** The stages of deploy/Dockerfile: their instructions, and those of the stages on which they rest. */
const stages = new Map<string, readonly string[]>();
for (const stage of read("deploy/Dockerfile")
  .replaceAll(/^#.*\n/gm, "")
  .replaceAll(/\\\n\s*/g, "")
  .split(/^FROM /m)
  .slice(1)) {
  const [first = "", ...lines] = stage.split("\n").filter((line) => line !== "");
  const [base = "", , name = ""] = first.split(" ");
  stages.set(name, [...(stages.get(base) ?? []), ...lines]);
}
const finalStages = ["service", "livekit", "media"];

/** The last instruction of a kind in a stage, without its name. */
const said = (stage: string, instruction: string): string =>
  stages
    .get(stage)
    ?.findLast((line) => line.startsWith(`${instruction} `))
    ?.slice(instruction.length + 1) ?? "";

test("each image runs as a numeric user without rights, reports its health, and describes itself", () => {
  for (const stage of finalStages) {
    assert.equal(said(stage, "USER"), "10001:10001", stage);
    assert.match(said(stage, "HEALTHCHECK"), /CMD \[/, stage);
    // tini hands signals on: no shell stands in between.
    assert.match(said(stage, "ENTRYPOINT"), /^\["tini", "--", "/, stage);
    const labels = stages.get(stage)?.filter((line) => line.startsWith("LABEL ")) ?? [];
    for (const label of ["title", "description", "version", "revision", "licenses"]) {
      assert.ok(labels.join().includes(`org.opencontainers.image.${label}=`), `${stage} ${label}`);
    }
  }
  assert.ok(stages.get("service")?.includes(`ARG VERSION=${packageJson.version}`));
  for (const stage of ["service", "media"]) assert.equal(said(stage, "VOLUME"), "/data");
});

test("the images have the locked Node and packages, and nothing in them names an architecture", () => {
  const build = stages.get("build")?.join("\n") ?? "";
  assert.match(build, /^RUN npm ci$/m);
  assert.doesNotMatch(build, /npm (?:i|install) (?!--global npm@\d+\.\d+\.\d+$)/m);
  const runtime = finalStages.flatMap((stage) => stages.get(stage) ?? []).join("\n");
  assert.doesNotMatch(runtime, /apt-get install[^\n]*\bnodejs\b/);
  assert.doesNotMatch(read("deploy/Dockerfile"), /amd64|arm64|x86_64|aarch64|x64/);
});

test("packages that are compiled for a platform are locked for both architectures of the images", () => {
  const packages: Readonly<Record<string, { readonly version?: string; readonly dev?: boolean }>> =
    lock.packages;
  const compiled = Object.entries(packages).filter(
    ([name, { dev }]) => dev !== true && /linux-x64(?:-gnu)?$/.test(name),
  );
  assert.ok(compiled.length >= 2, "Node and argon2");
  for (const [name, { version }] of compiled) {
    assert.equal(packages[name.replace("linux-x64", "linux-arm64")]?.version, version, name);
  }
  assert.ok(archives["linux-x64"] && archives["linux-arm64"]);
});

test("no data, setting or secret of a machine comes into an image", () => {
  const ignored = read(".dockerignore").split("\n");
  for (const path of [".git", "data", "deploy/secrets", "**/.env", "**/node_modules", "**/*.log"]) {
    assert.ok(ignored.includes(path), path);
  }
  // The build would copy what a package of the program leaves out.
  assert.doesNotMatch(read("deploy/Dockerfile"), /^(?:ARG|ENV) .*(?:SECRET|PASSWORD|TOKEN|KEY)/m);
});

test("compose.yaml is valid by the Compose specification", () => {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  const isValid = ajv.compile({ ...schema, $schema: "http://json-schema.org/draft-07/schema" });
  // Before Compose replaces the references, and after.
  for (const file of [parse(composeText, { merge: true }), readCompose()]) {
    assert.ok(isValid(file), JSON.stringify(isValid.errors, null, 2));
  }
  assert.ok(!isValid({ ...readCompose(), service: {} }), "the schema refuses what is unknown");
});

test("every setting in compose.yaml is one of Parley, and every reference is in .env.example", () => {
  const { services } = readCompose();
  const known = new Set<string>(Object.values(variables).map(({ name }) => name));
  for (const name of Object.keys(services.parley?.environment ?? {})) {
    assert.ok(known.has(name) || name === "PARLEY_ENV_FILE", name);
  }
  const example = Object.keys(parseEnv(read("deploy/.env.example")));
  assert.deepEqual(example.sort(), [...composeVariables].sort());
});

test("every container of compose.yaml has a read-only root, no needless rights, and a health check", () => {
  const { services, secrets, volumes } = readCompose();
  assert.deepEqual(
    Object.entries(services).map(([name, { profiles = [] }]) => [name, ...profiles]),
    [
      ["parley"],
      ["backup", "backup"],
      ["caddy", "https"],
      ["postgres", "postgres"],
      ["livekit", "livekit"],
      ["coturn", "turn"],
    ],
  );
  for (const [name, service] of Object.entries(services)) {
    assert.equal(service.read_only, true, name);
    assert.deepEqual(service.cap_drop, ["ALL"], name);
    assert.ok(
      (service.cap_add ?? []).every((right) => right === "NET_BIND_SERVICE"),
      name,
    );
    assert.ok(service.security_opt?.includes("no-new-privileges:true"), name);
    assert.equal(service.restart, "unless-stopped", name);
    assert.ok(
      service.healthcheck !== undefined || finalStages.includes(service.build?.target ?? ""),
    );
    for (const secret of service.secrets ?? []) assert.ok(secret in secrets, `${name} ${secret}`);
    for (const volume of service.volumes ?? []) {
      const [from = ""] = volume.split(":");
      assert.ok(from.startsWith("./") || from in volumes, volume);
    }
  }
});

test("the first backup waits until Parley is healthy", () => {
  assert.deepEqual(readCompose().services.backup?.depends_on, {
    parley: { condition: "service_healthy" },
  });
});

/** A folder with prepare.sh, which runs with these lines of `.env`; the others are the example's. */
const openDeploy = (t: TestContext) => {
  const folder = mkdtempSync(join(tmpdir(), "parley-compose-"));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const name of ["prepare.sh", ".env.example"]) {
    copyFileSync(new URL(`../../deploy/${name}`, import.meta.url), join(folder, name));
  }
  const file = join(folder, "secrets/parley.env");
  return {
    folder,
    file,
    settings: () => ({ ...parseEnv(readFileSync(file, "utf8")) }) as Record<string, string>,
    prepare: async (values: Readonly<Record<string, string>> = {}) => {
      const lines = Object.entries(values).map(([name, value]) => `${name}=${value}\n`);
      await writeFile(join(folder, ".env"), read("deploy/.env.example") + lines.join(""));
      return spawnSync("sh", [join(folder, "prepare.sh")], { encoding: "utf8" });
    },
  };
};

test("prepare.sh makes secrets once, and settings that Parley accepts with each set of profiles", async (t) => {
  const { folder, file, settings, prepare } = openDeploy(t);
  await prepare();
  assert.deepEqual(Object.keys(settings()), ["PARLEY_SECRET"]);
  const { secrets } = readCompose();
  assert.deepEqual(
    readdirSync(join(folder, "secrets")).sort(),
    Object.values(secrets)
      .map(({ file }) => file.replace("./secrets/", ""))
      .sort(),
  );
  assert.equal(statSync(join(folder, "secrets")).mode & 0o777, 0o700);
  const first = settings();
  readConfig(first);

  const chosen = {
    COMPOSE_PROFILES: "https,postgres,livekit,turn,backup",
    PUBLIC_URL: "https://meet.example.org",
  };
  for (let run = 0; run < 2; run += 1) assert.equal((await prepare(chosen)).status, 0);
  const all = settings();
  assert.equal(all.PARLEY_SECRET, first.PARLEY_SECRET);
  const config = readConfig({ ...all, PUBLIC_URL: chosen.PUBLIC_URL });
  assert.ok(config.databaseUrl?.endsWith("@postgres/parley"));
  assert.equal(config.media.cluster?.url, "http://livekit:7880");
  assert.ok(all.TURN_URLS?.startsWith("turn:meet.example.org:3478?"));
  const text = readFileSync(file, "utf8");
  for (const name of ["DATABASE_URL", "TURN_URLS"]) {
    assert.equal(text.match(new RegExp(`^${name}=`, "gm"))?.length, 1);
  }
});

test("prepare.sh follows a change of PUBLIC_URL, and leaves a line that the operator has edited", async (t) => {
  const { file, settings, prepare } = openDeploy(t);
  const turnAfter = async (PUBLIC_URL: string) => {
    const { status, stderr } = await prepare({ COMPOSE_PROFILES: "turn", PUBLIC_URL });
    assert.equal(status, 0, stderr);
    return settings().TURN_URLS ?? "";
  };
  assert.match(await turnAfter("http://localhost:3000"), /^turn:localhost:/);
  const before = settings();
  await appendFile(file, "SMTP_URL=smtp://mail.example.org\n");
  const followed = await turnAfter('"https://meet.example.org"');
  assert.equal(followed, before.TURN_URLS?.replaceAll("localhost", "meet.example.org"));
  assert.deepEqual(settings(), {
    ...before,
    SMTP_URL: "smtp://mail.example.org",
    TURN_URLS: followed,
  });
  const text = readFileSync(file, "utf8");
  assert.equal(text.match(/TURN_URLS=/g)?.length, 2, "the line, and the comment before it");
  await writeFile(file, text.replace(/^TURN_URLS=.*/m, "TURN_URLS=turn:turn.example.org:3478"));
  assert.equal(await turnAfter("https://other.example.org"), "turn:turn.example.org:3478");
});

test("prepare.sh refuses the profile https without an https address, and makes no secret", async (t) => {
  const { folder, prepare } = openDeploy(t);
  for (const PUBLIC_URL of ["http://localhost:3000", "meet.example.org", ""]) {
    const { status, stderr } = await prepare({ COMPOSE_PROFILES: "backup,https", PUBLIC_URL });
    assert.equal(status, 1, PUBLIC_URL);
    assert.match(stderr, /profile https needs PUBLIC_URL=https:/);
  }
  assert.deepEqual(readdirSync(join(folder, "secrets")), []);
});

test("prepare.sh reads .env as Compose does: with spaces, quotes and comments", async (t) => {
  const { settings, prepare } = openDeploy(t);
  const { status, stderr } = await prepare({ "export COMPOSE_PROFILES ": " turn" });
  assert.equal(status, 0, stderr);
  assert.ok("TURN_SECRET" in settings());
  for (const COMPOSE_PROFILES of [
    "backup, postgres",
    '"postgres,backup"',
    "postgres # the database",
  ]) {
    const { status, stderr } = await prepare({ COMPOSE_PROFILES });
    assert.equal(status, 0, stderr);
    assert.ok("DATABASE_URL" in settings(), COMPOSE_PROFILES);
  }
});

test("prepare.sh refuses values that Compose takes and no container can use, and makes no secret", async (t) => {
  const { folder, prepare } = openDeploy(t);
  const https = { COMPOSE_PROFILES: "https" };
  const wrong: readonly (readonly [Readonly<Record<string, string>>, RegExp])[] = [
    [
      { COMPOSE_PROFILES: "postgresql,backup" },
      /COMPOSE_PROFILES in deploy\/\.env has postgresql:/,
    ],
    [{ COMPOSE_PROFILES: "*" }, /COMPOSE_PROFILES in deploy\/\.env has \*:/],
    [
      { PUBLIC_URL: "meet.example.org" },
      /PUBLIC_URL in deploy\/\.env needs http:\/\/ or https:\/\//,
    ],
    [{ ...https, PUBLIC_URL: "https://meet.example.org:8443" }, /without a port and a path/],
    [{ ...https, PUBLIC_URL: "https://meet.example.org/video" }, /without a port and a path/],
    [{ PARLEY_IMAGE: "small" }, /PARLEY_IMAGE in deploy\/\.env is media or service/],
  ];
  for (const [values, words] of wrong) {
    const { status, stderr } = await prepare(values);
    assert.deepEqual([status, words.test(stderr)], [1, true], stderr);
  }
  assert.deepEqual(readdirSync(join(folder, "secrets")), []);
});

test("another profile makes a new container of Parley, which reads the lines that prepare.sh has added", () => {
  const of = (COMPOSE_PROFILES: string) => readCompose({ COMPOSE_PROFILES }).services.parley;
  assert.notDeepEqual(of("turn"), of(""));
});
