// Runs: sqlite, complete, unsteady

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { send } from "../world/ask.ts";
import { startWorld } from "../world/world.ts";
import { npmTools, oapiCodegen, openApiGenerator, pythonTools, run, type Tool } from "./tools.ts";

/*
 * Clients that others' generators make of the OpenAPI document: each is generated without a warning about the
 * document, compiles strictly, and a program makes ten calls with it (0070).
 */

const programs = fileURLToPath(new URL("programs", import.meta.url));
const world = await startWorld(test);
const { accessKey } = await world.tenant();
const home = mkdtempSync(join(tmpdir(), "parley-generators-"));
test.after(() => rmSync(home, { recursive: true, force: true }));
const document = join(home, "openapi.json");
writeFileSync(
  document,
  JSON.stringify((await send(world.url, { method: "GET", path: "/openapi.json" })).body),
);

const ran = async (
  command: string,
  args: readonly string[],
  options: Parameters<typeof run>[2] = {},
) => {
  const { ok, out } = await run(command, args, options);
  assert.ok(ok, `${command} ${args.join(" ")}\n${out.slice(-6000)}`);
  return out;
};

/** Makes ten calls with a client. */
const tenCalls = async (
  command: string,
  args: readonly string[],
  cwd: string,
  more: object = {},
) => {
  const env = {
    ...process.env,
    URL: world.url,
    KEY: accessKey.accessKey,
    SECRET: accessKey.secretAccessKey,
    EMAIL: `ann.${randomUUID()}@example.org`,
    ...more,
  };
  assert.match(await ran(command, args, { cwd, env }), /10 calls/);
};

/** The paths of tools; undefined where one is missing, which skips the test. */
const found = async <T extends readonly Promise<Tool>[]>(t: TestContext, ...asked: T) => {
  const paths: string[] = [];
  for (const one of asked) {
    const tool = await one;
    if ("missing" in tool) {
      t.skip(tool.missing);
      return undefined;
    }
    paths.push(tool.path);
  }
  return paths as { [K in keyof T]: string };
};

/** A document of OpenAPI 3.1 with one text: openapi-generator warns of some things in every document. */
const smallest = join(home, "smallest.json");
const content = { "text/plain": { schema: { type: "string" } } };
const get = { operationId: "read", responses: { 200: { description: "A text", content } } };
writeFileSync(
  smallest,
  JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Smallest", version: "1" },
    paths: { "/": { get } },
  }),
);

/** Generates a client with openapi-generator, and returns its warnings, each once. */
const generate = async (jar: string, from: string, to: string, more: readonly string[]) => {
  const java = ["-XX:+UseSerialGC", "-Xmx1g", "-jar", jar];
  const out = await ran("java", [...java, "generate", "-i", from, "-o", to, ...more]);
  const lines = out.split("\n").filter((line) => /WARN|ERROR/.test(line));
  return new Set(lines.map((line) => line.replace(/^.*?(WARN|ERROR)/, "$1")));
};

/** Generates a client with openapi-generator without a warning of this document, and returns its folder. */
const generated = async (jar: string, language: string, properties: string): Promise<string> => {
  const to = join(home, language);
  // Python: a parameter is called as one of its words, `from`, which makes no model.
  const names = language === "python" ? ["--model-name-mappings", "from=From"] : [];
  const options = ["-g", language, `--additional-properties=${properties}`, ...names];
  const always = await generate(jar, smallest, join(home, `smallest-${language}`), options);
  const warnings = await generate(jar, document, to, options);
  assert.deepEqual([...warnings.difference(always)], []);
  return to;
};

/** Compiles a program with its client strictly, and runs it. */
const compiled = async (npm: string, folder: string, program: string): Promise<void> => {
  mkdirSync(folder, { recursive: true });
  symlinkSync(npm, join(folder, "node_modules"));
  cpSync(join(programs, program), join(folder, "program.ts"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "commonjs" }));
  const strict = ["--strict", "--target", "es2022", "--module", "commonjs", "--types", "node"];
  const more = ["--lib", "es2022,dom,dom.iterable", "--esModuleInterop", "--outDir", "js"];
  const compiler = join(npm, "typescript/bin/tsc");
  await ran(process.execPath, [compiler, ...strict, ...more, "program.ts"], { cwd: folder });
  await tenCalls(process.execPath, ["js/program.js"], folder);
};

test("openapi-generator, python", async (t) => {
  const [jar, python] = (await found(t, openApiGenerator(), pythonTools())) ?? [];
  if (jar === undefined || python === undefined) return;
  const to = await generated(jar, "python", "packageName=openapi_client");
  await tenCalls(join(python, "python"), [join(programs, "openapi-generator.py")], to, {
    CLIENT: to,
  });
});

test("openapi-generator, typescript-fetch", async (t) => {
  const [jar, npm] = (await found(t, openApiGenerator(), npmTools())) ?? [];
  if (jar === undefined || npm === undefined) return;
  const folder = join(home, "typescript");
  mkdirSync(folder);
  cpSync(await generated(jar, "typescript-fetch", "supportsES6=true"), join(folder, "client"), {
    recursive: true,
  });
  await compiled(npm, folder, "typescript-fetch.ts.txt");
});

test("openapi-generator, go", async (t) => {
  const [jar] = (await found(t, openApiGenerator(), oapiCodegen())) ?? [];
  if (jar === undefined) return;
  // Two sets of words may have a word in common.
  const to = await generated(jar, "go", "packageName=parley,withGoMod=false,enumClassPrefix=true");
  rmSync(join(to, "test"), { recursive: true, force: true });
  mkdirSync(join(to, "cmd/try"), { recursive: true });
  cpSync(join(programs, "openapi-generator.go.txt"), join(to, "cmd/try/main.go"));
  await ran("go", ["mod", "init", "example.org/parley"], { cwd: to });
  await ran("go", ["mod", "tidy"], { cwd: to });
  await ran("go", ["vet", "./..."], { cwd: to });
  await tenCalls("go", ["run", "./cmd/try"], to);
});

test("openapi-generator, java", async (t) => {
  const [jar] = (await found(t, openApiGenerator())) ?? [];
  if (jar === undefined) return;
  const to = await generated(jar, "java", "library=native");
  cpSync(join(programs, "Try.java"), join(to, "src/main/java/Try.java"));
  await ran("mvn", ["-q", "-Dmaven.test.skip=true", "compile"], { cwd: to });
  await ran("mvn", ["-q", "dependency:build-classpath", "-Dmdep.outputFile=classpath"], {
    cwd: to,
  });
  const classes = `target/classes:${readFileSync(join(to, "classpath"), "utf8").trim()}`;
  await tenCalls("java", ["-cp", classes, "Try"], to);
});

test("oapi-codegen", async (t) => {
  const [generator] = (await found(t, oapiCodegen())) ?? [];
  if (generator === undefined) return;
  const to = join(home, "oapi");
  mkdirSync(to);
  const what = ["-generate", "types,client", "-package", "main", "-o", join(to, "client.go")];
  assert.equal((await ran(generator, [...what, document])).trim(), "");
  cpSync(join(programs, "oapi-codegen.go.txt"), join(to, "main.go"));
  await ran("go", ["mod", "init", "example.org/try"], { cwd: to });
  await ran("go", ["mod", "tidy"], { cwd: to });
  await ran("go", ["vet", "./..."], { cwd: to });
  await tenCalls("go", ["run", "."], to);
});

test("openapi-typescript with openapi-fetch", async (t) => {
  const [npm] = (await found(t, npmTools())) ?? [];
  if (npm === undefined) return;
  const folder = join(home, "fetch");
  mkdirSync(folder);
  const generator = join(npm, "openapi-typescript/bin/cli.js");
  // A field with a default may be omitted in a request.
  const args = [generator, document, "-o", "client.ts", "--default-non-nullable=false"];
  assert.doesNotMatch(await ran(process.execPath, args, { cwd: folder }), /warn/i);
  await compiled(npm, folder, "openapi-fetch.ts.txt");
});

test("hey-api", async (t) => {
  const [npm] = (await found(t, npmTools())) ?? [];
  if (npm === undefined) return;
  const folder = join(home, "hey");
  mkdirSync(folder);
  const generator = join(npm, "@hey-api/openapi-ts/bin/run.js");
  const args = [generator, "-i", document, "-o", "client", "-c", "@hey-api/client-fetch"];
  assert.doesNotMatch(await ran(process.execPath, args, { cwd: folder }), /warn/i);
  await compiled(npm, folder, "hey-api.ts.txt");
});

test("openapi-python-client", async (t) => {
  const [python] = (await found(t, pythonTools())) ?? [];
  if (python === undefined) return;
  const to = join(home, "python-client");
  const generator = join(python, "openapi-python-client");
  const config = join(home, "python-client.json");
  writeFileSync(config, JSON.stringify({ post_hooks: [] }));
  const out = await ran(generator, [
    "generate",
    "--path",
    document,
    "--output-path",
    to,
    "--config",
    config,
  ]);
  const warned = out.split("\n").filter((line) => line.startsWith("WARNING"));
  // It takes no archives.
  assert.deepEqual(warned, ["WARNING parsing GET /api/organization/export within organization."]);
  const mypy = ["-m", "mypy", "--strict", "parley_client"];
  await ran(join(python, "python"), mypy, { cwd: to });
  const program = join(programs, "openapi-python-client.py");
  await tenCalls(join(python, "python"), [program], to, { CLIENT: to });
});
