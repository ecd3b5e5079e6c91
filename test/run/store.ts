import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const VERSITYGW = "github.com/versity/versitygw/cmd/versitygw@v1.8.0";

const folder = fileURLToPath(new URL("../../.cache/store", import.meta.url));

/** The S3 server that tests use (docs/decisions/0028). */
export const storePath = join(folder, process.platform === "win32" ? "versitygw.exe" : "versitygw");

/** Why a test with a real S3 server is skipped; false if it is built. */
export const noStore: string | false = existsSync(storePath)
  ? false
  : "versitygw could not be built on this machine (it needs Go)";

/** Builds the S3 server, once; prints the output if that fails. */
export const installStore = (): void => {
  if (existsSync(storePath)) return;
  console.log("Installing versitygw, once …");
  mkdirSync(folder, { recursive: true });
  const { status, error, stderr } = spawnSync(
    "go",
    ["install", "-trimpath", "-ldflags=-s -w", VERSITYGW],
    {
      env: { ...process.env, GOBIN: folder, GOFLAGS: "", CGO_ENABLED: "0" },
      encoding: "utf8",
    },
  );
  if (status !== 0) console.log(error?.message ?? stderr);
};
