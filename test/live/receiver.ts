import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Scope } from "../world/empty-database.ts";
import { freePort } from "../world/free-port.ts";
import { until } from "../world/process.ts";

/** A real receiver of live streams: nginx with its RTMP module. */
export interface Receiver {
  /** The address without the key. */
  readonly url: string;
  readonly port: number;
  /** The names of the streams being published, with their codecs. */
  publishing(): Promise<readonly { readonly name: string; readonly codecs: string }[]>;
  /** Its recordings, oldest first. */
  recorded(): Promise<readonly string[]>;
  start(): Promise<void>;
  kill(): Promise<void>;
}

/** `key` is the only key that it accepts. */
const configOf = (folder: string, rtmp: number, http: number, key: string): string => `
load_module /usr/lib/nginx/modules/ngx_rtmp_module.so;
daemon off;
master_process off;
error_log ${folder}/error.log warn;
pid ${folder}/nginx.pid;
events {}
rtmp {
  server {
    listen 127.0.0.1:${rtmp};
    notify_method get;
    application studio {
      live on;
      record all;
      record_path ${folder};
      record_unique on;
      record_suffix .flv;
      on_publish http://127.0.0.1:${http}/may;
    }
  }
}
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  server {
    listen 127.0.0.1:${http};
    location /stat { rtmp_stat all; }
    location /may {
      if ($arg_name != "${key}") { return 403; }
      return 200;
    }
  }
}
`;

export const startReceiver = async (t: Scope, key: string): Promise<Receiver> => {
  const folder = await mkdtemp(join(tmpdir(), "parley-receiver-"));
  const [port, http] = [await freePort(), await freePort()];
  const config = join(folder, "nginx.conf");
  await writeFile(config, configOf(folder, port, http, key));
  let child: ChildProcess | undefined;
  const stat = async (): Promise<string> =>
    (await fetch(`http://127.0.0.1:${http}/stat`).catch(() => undefined))?.text() ?? "";
  const receiver: Receiver = {
    url: `rtmp://127.0.0.1:${port}/studio`,
    port,
    async publishing() {
      const streams = (await stat()).matchAll(/<stream>.*?<\/stream>/gs);
      return [...streams]
        .map(([text]) => text)
        .filter((text) => text.includes("<publishing/>"))
        .map((text) => ({
          name: /<name>(.*?)<\/name>/.exec(text)?.[1] ?? "",
          codecs: [...text.matchAll(/<codec>(.*?)<\/codec>/g)].map(([, codec]) => codec).join(" "),
        }));
    },
    recorded: async () =>
      (await readdir(folder))
        .filter((name) => name.endsWith(".flv"))
        .sort()
        .map((name) => join(folder, name)),
    async start() {
      child = spawn("nginx", ["-p", folder, "-c", config], { stdio: "ignore" });
      await once(child, "spawn");
      await until("the receiver answers", async () => (await stat()) !== "");
    },
    async kill() {
      if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
  t.after(async () => {
    await receiver.kill();
    await rm(folder, { recursive: true, force: true });
  });
  await receiver.start();
  return receiver;
};

/** ffprobe's report about a file: the kinds and codecs of its streams, and its duration. */
export const probe = async (
  file: string,
): Promise<{ readonly codecs: readonly string[]; readonly seconds: number }> => {
  const { stdout } = await promisify(execFile)("ffprobe", [
    ...["-v", "error", "-show_entries", "stream=codec_name:format=duration"],
    ...["-count_packets", "-of", "json", file],
  ]);
  const { streams, format } = JSON.parse(stdout);
  return {
    codecs: streams.map(({ codec_name: name }: { readonly codec_name: string }) => name).sort(),
    seconds: Number(format.duration),
  };
};

/** The arguments of every process that this one has started, directly or indirectly. */
export const argumentsOfChildren = async (): Promise<readonly string[]> => {
  const { stdout } = await promisify(execFile)("ps", ["-eo", "pid=,ppid=,args=", "-ww"]);
  const rows = stdout.split("\n").map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line));
  const mine = new Set([String(process.pid)]);
  const found: string[] = [];
  for (let before = -1; before !== mine.size; ) {
    before = mine.size;
    for (const [, pid = "", parent = ""] of rows.filter((row) => row !== null)) {
      if (mine.has(parent)) mine.add(pid);
    }
  }
  for (const row of rows) if (row !== null && mine.has(row[1] ?? "")) found.push(row[3] ?? "");
  return found;
};
