import { type ExecFileOptions, execFile } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

/*
 * Generators of clients, installed once into `.cache/generators` by the package managers of their languages.
 * Where a language is missing, or its packages cannot be had, what needs it is skipped.
 */

const folder = fileURLToPath(new URL("../../.cache/generators", import.meta.url));

const VERSIONS = {
  "openapi-generator": "7.25.0",
  "openapi-typescript": "7.13.0",
  "openapi-fetch": "0.17.0",
  "@hey-api/openapi-ts": "0.95.0",
  "@stoplight/spectral-cli": "6.16.3",
  "@types/node": "26.6.6",
  typescript: "5.9.3",
  "openapi-python-client": "0.29.1",
  "oapi-codegen": "v2.8.2",
  "@asyncapi/parser": "3.6.6",
  schemathesis: "4.32.5",
} as const;

/** Runs a command to its end, while the service in this process answers. */
export const run = (
  command: string,
  args: readonly string[],
  options: ExecFileOptions = {},
): Promise<{ readonly ok: boolean; readonly out: string }> =>
  new Promise((resolve) => {
    const limits = { timeout: 600_000, maxBuffer: 64 * 1024 ** 2, ...options };
    execFile(command, args, { ...limits, encoding: "utf8" }, (error, stdout, stderr) =>
      resolve({ ok: error === null, out: `${stdout}${stderr}${error?.message ?? ""}` }),
    );
  });

/** A tool that is there, or why it is not. */
export type Tool = { readonly path: string } | { readonly missing: string };

/**
 * Looks for a tool, and installs it once.
 *
 * @param path the tool
 * @param language what must be on the machine, and how that is asked
 */
export const installed = async (
  path: string,
  language: string,
  [probe, ...asked]: readonly [string, ...string[]],
  install: () => Promise<unknown>,
): Promise<Tool> => {
  if (!existsSync(path)) {
    if (!(await run(probe, asked)).ok) return { missing: `${language} is not on this machine` };
    mkdirSync(folder, { recursive: true });
    console.log(`Installing ${basename(path)}, once …`);
    await install();
  }
  return existsSync(path) ? { path } : { missing: `${path} could not be installed` };
};

/** Packages of npm, in a folder of their own. */
const npmPackages = async (home: string, names: readonly (keyof typeof VERSIONS)[]) => {
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "package.json"), JSON.stringify({ private: true }));
  const packages = names.map((name) => `${name}@${VERSIONS[name]}`);
  const options = ["--ignore-scripts", "--no-audit", "--fetch-retries=1"];
  return run("npm", ["install", ...options, ...packages], { cwd: home });
};

/** The folder of the packages of npm. */
export const npmTools = (): Promise<Tool> => {
  const home = join(folder, "npm");
  return installed(join(home, "node_modules"), "npm", ["npm", "--version"], () =>
    npmPackages(home, [
      ...(["openapi-typescript", "openapi-fetch", "@hey-api/openapi-ts"] as const),
      ...(["typescript", "@types/node"] as const),
    ]),
  );
};

/** Spectral's command: 68 MB in 240 packages, therefore not among Parley's. */
export const spectral = (): Promise<Tool> => {
  const home = join(folder, "spectral");
  const name = "@stoplight/spectral-cli";
  const program = join(home, "node_modules", name, "dist/index.js");
  return installed(program, "npm", ["npm", "--version"], () => npmPackages(home, [name]));
};

/** AsyncAPI's own reader of documents: 54 MB in 168 packages, therefore not among Parley's. */
export const asyncApiParser = (): Promise<Tool> => {
  const home = join(folder, "asyncapi");
  const name = "@asyncapi/parser";
  const place = join(home, "node_modules", name);
  return installed(place, "npm", ["npm", "--version"], () => npmPackages(home, [name]));
};

/** The folder of programs of a Python with the packages that clients need. */
export const pythonTools = async (): Promise<Tool> => {
  const home = join(folder, "python");
  const bin = join(home, "bin");
  const generator = join(bin, "openapi-python-client");
  const tool = await installed(generator, "Python", ["python3", "--version"], async () => {
    await run("python3", ["-m", "venv", home]);
    const packages = [
      `openapi-python-client==${VERSIONS["openapi-python-client"]}`,
      "mypy",
      "urllib3",
      "python-dateutil",
      "pydantic",
      "typing-extensions",
      "types-python-dateutil",
    ];
    await run(join(bin, "pip"), ["install", "--quiet", ...packages]);
  });
  return "path" in tool ? { path: bin } : tool;
};

/** Schemathesis, which makes requests of an OpenAPI document. */
export const schemathesis = (): Promise<Tool> => {
  const home = join(folder, "schemathesis");
  const program = join(home, "bin/schemathesis");
  return installed(program, "Python", ["python3", "--version"], async () => {
    await run("python3", ["-m", "venv", home]);
    const wanted = `schemathesis==${VERSIONS.schemathesis}`;
    await run(join(home, "bin/pip"), ["install", "--quiet", wanted]);
  });
};

/** The generator of oapi-codegen. */
export const oapiCodegen = (): Promise<Tool> =>
  installed(join(folder, "go/oapi-codegen"), "Go", ["go", "version"], async () => {
    const address = `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@${VERSIONS["oapi-codegen"]}`;
    await run("go", ["install", address], { env: { ...process.env, GOBIN: join(folder, "go") } });
  });

/** The archive of openapi-generator. */
export const openApiGenerator = (): Promise<Tool> => {
  const version = VERSIONS["openapi-generator"];
  const name = "openapi-generator-cli";
  const repository = join(homedir(), ".m2/repository/org/openapitools", name, version);
  return installed(join(repository, `${name}-${version}.jar`), "Maven", ["mvn", "-v"], async () => {
    const artifact = `org.openapitools:${name}:${version}`;
    await run("mvn", ["-q", "dependency:get", `-Dartifact=${artifact}`, "-Dtransitive=false"]);
  });
};
