import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { signedHeaders } from "../../server/webhooks/sign.ts";
import { startWorld } from "../world/world.ts";
import { make } from "./made.ts";
import { startReceiver, verify } from "./receiver.ts";

type Command = readonly [string, ...string[]];

/** A program of docs/samples/webhooks that verifies a delivery. */
interface Sample {
  readonly language: string;
  /** Asks for the version of the language. */
  readonly probe: Command;
  /** The pattern of its version. */
  readonly version?: RegExp;
  /** Gets the packages that it needs, in a folder of its own. */
  readonly install?: (home: string) => readonly Command[];
  readonly build?: (home: string) => Command;
  readonly run: (home: string) => Command;
}

const sample = (name: string): string =>
  fileURLToPath(new URL(`../../docs/samples/webhooks/${name}`, import.meta.url));

/** The packages of the sample in Rust, as its first lines name them. */
const crates = (): readonly string[] =>
  /cargo add (.*)/.exec(readFileSync(sample("verify.rs"), "utf8"))?.[1]?.split(" ") ?? [];

/** Those that run as they are. */
export const scripts: readonly Sample[] = [
  {
    language: "Node",
    probe: [process.execPath, "--version"],
    run: () => [process.execPath, sample("verify.mjs")],
  },
  {
    language: "Python",
    probe: ["python3", "--version"],
    run: () => ["python3", sample("verify.py")],
  },
  { language: "PHP", probe: ["php", "--version"], run: () => ["php", sample("verify.php")] },
  { language: "Ruby", probe: ["ruby", "--version"], run: () => ["ruby", sample("verify.rb")] },
];

/** Those that are compiled. */
export const compiled: readonly Sample[] = [
  {
    language: "Go",
    probe: ["go", "version"],
    build: (home) => ["go", "build", "-o", join(home, "verify"), sample("verify.go")],
    run: (home) => [join(home, "verify")],
  },
  {
    language: "Java",
    probe: ["javac", "-version"],
    build: (home) => ["javac", "-Xlint:all", "-Werror", "-d", home, sample("Verify.java")],
    run: (home) => ["java", "-cp", home, "Verify"],
  },
  {
    language: "Rust",
    probe: ["cargo", "--version"],
    install: () => [
      ["cargo", "init", "--vcs", "none", "--name", "verify"],
      ["cargo", "add", ...crates()],
      ["cargo", "fetch"],
    ],
    build: (home) => {
      cpSync(sample("verify.rs"), join(home, "src/main.rs"));
      return ["cargo", "build"];
    },
    run: (home) => [join(home, "target/debug/verify")],
  },
  {
    language: "C#",
    probe: ["dotnet", "--version"],
    version: /^[1-9]\d\./,
    run: () => ["dotnet", "run", sample("Verify.cs")],
  },
];

const ran = (
  [command, ...args]: Command,
  options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv; readonly input?: string },
): Promise<{ readonly ok: boolean; readonly out: string; readonly said: string }> =>
  new Promise((resolve) => {
    const { cwd, env = {}, input = "" } = options;
    const all = { ...process.env, DOTNET_NOLOGO: "1", CARGO_TARGET_DIR: "target", ...env };
    const child = execFile(command, args, { cwd, env: all }, (error, out, said) =>
      resolve({ ok: error === null, out: out.trim(), said }),
    );
    child.stdin?.end(input);
  });

/** Why a sample cannot be run on this machine; false if it can. */
const whyNot = ({ language, probe: [command, ...args], version = /./ }: Sample) => {
  const { status, stdout } = spawnSync(command, args, { encoding: "utf8" });
  if (status !== 0) return `${language} is not on this machine`;
  return version.test(stdout) ? false : `${language} on this machine is too old`;
};

const HEADERS = ["webhook-id", "webhook-timestamp", "webhook-signature"] as const;
const MISSING = "a header is missing";
const OLD = "the timestamp is not within five minutes";
const FOREIGN = "no signature matches";

/** Runs samples against deliveries of a service: genuine ones, and everything that must be refused. */
export const trySamples = async (samples: readonly Sample[]): Promise<void> => {
  const world = await startWorld(test, { environment: { ALLOWED_NETWORKS: "loopback" } });

  /** A delivery before a new secret was made, one after it, and both secrets. */
  const deliver = async (t: TestContext) => {
    const { ask, admin } = await world.tenant();
    const receiver = await startReceiver(t);
    const { id, secret: first } = await make(ask, receiver.url, ["roomCreated"]);
    await ask("createRoom", { name: "Prüfung 会議 \u{1F510}", roomOwnerId: admin.id });
    const [one] = await receiver.waitFor(1);
    const second: string = (await ask("rotateWebhookSecret", { id })).body.webhook.secret;
    await ask("testWebhook", { id });
    const [, both] = await receiver.waitFor(2);
    assert.ok(one && both);
    for (const secret of [first, second]) verify(secret, both);
    return { first, second, one, both };
  };

  for (const one of samples) {
    test(`the sample in ${one.language} verifies deliveries`, { skip: whyNot(one) }, async (t) => {
      const home = mkdtempSync(join(tmpdir(), "parley-samples-"));
      t.after(() => rmSync(home, { recursive: true, force: true }));
      for (const command of one.install?.(home) ?? []) {
        const { ok } = await ran(command, { cwd: home });
        if (!ok) return t.skip(`${one.language}'s packages cannot be installed here`);
      }
      const build = one.build?.(home);
      if (build !== undefined) {
        const { ok, said } = await ran(build, { cwd: home });
        assert.ok(ok, said);
      }
      const delivered = await deliver(t);

      type Headers = Readonly<Record<string, string | string[] | undefined>>;
      const check = async (secret: string, headers: Headers, body: string, expected = "valid") => {
        const given = HEADERS.flatMap((name) => {
          const value = headers[name];
          return value === undefined
            ? []
            : [[`HTTP_${name.toUpperCase().replace("-", "_")}`, String(value)]];
        });
        const env = { WEBHOOK_SECRET: secret, ...Object.fromEntries(given) };
        const { ok, out, said } = await ran(one.run(home), { cwd: home, env, input: body });
        assert.deepEqual([out, ok], [expected, expected === "valid"], said);
      };

      const { first, second } = delivered;
      const { headers, body } = delivered.one;
      await check(first, headers, body);
      await check(second, headers, body, FOREIGN);
      await check(first, headers, body.replace("Prüfung", "Prufung"), FOREIGN);
      await check(first, { ...headers, "webhook-id": "another" }, body, FOREIGN);
      const signature = String(headers["webhook-signature"]);
      for (const altered of [
        `${signature.slice(0, 3)}${signature[3] === "A" ? "B" : "A"}${signature.slice(4)}`,
        signature.slice(0, -4),
        signature.replace("v1,", "v2,"),
        "v1,",
      ]) {
        await check(first, { ...headers, "webhook-signature": altered }, body, FOREIGN);
      }
      for (const name of HEADERS) {
        await check(first, { ...headers, [name]: undefined }, body, MISSING);
      }

      const now = Math.floor(Date.now() / 1000);
      for (const seconds of [now - 900, now + 900, Number.NaN]) {
        await check(first, signedHeaders([first], delivered.one.id, seconds, body), body, OLD);
      }

      const { headers: signedTwice, body: text } = delivered.both;
      for (const secret of [first, second]) await check(secret, signedTwice, text);
      await check(first, signedTwice, body, FOREIGN);
    });
  }
};
