import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Served } from "../bench.ts";
import { headersOf } from "../load/plan.ts";

/** A constant answer at a route. */
interface Constant {
  readonly route: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string;
}

export interface Constants {
  readonly answers: readonly Constant[];
  /** One row by a plain `select *`, at /row/:id. */
  readonly row?: { readonly databaseUrl: string; readonly organizationId: string };
  /** 25 rows and their total from a table with a trigram index, at /search?term=. */
  readonly search?: { readonly databaseUrl: string };
}

/** Headers that every server adds by itself. */
const ownHeaders: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "date",
  "keep-alive",
  "transfer-encoding",
]);

/** An answer of the service as a constant: the same size, the same headers. */
export const constantOf = async (
  url: string,
  token: string,
  { path, route }: { readonly path: string; readonly route: string },
): Promise<Constant> => {
  const answer = await fetch(url + path, { headers: headersOf(token, undefined) });
  const body = await answer.text();
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status} ${body}`);
  const headers = [...answer.headers].filter(([name]) => !ownHeaders.has(name));
  return { route, headers, body };
};

/** Starts a server of constants in a separate process. */
export const startConstants = async (constants: Constants): Promise<Served> => {
  const path = new URL("server.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, [path], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "exit");
  const end = () => void child.kill("SIGKILL");
  process.once("exit", end);
  child.stdin.end(JSON.stringify(constants));
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", resolve);
    child.once("exit", () => reject(new Error("The server of constants did not start.")));
  });
  return {
    url,
    pid: child.pid ?? 0,
    async stop() {
      end();
      await ended;
      process.off("exit", end);
    },
  };
};
