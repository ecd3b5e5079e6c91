import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { withoutNginx } from "../run/programs.ts";
import { freePort } from "../world/free-port.ts";
import { until } from "../world/process.ts";
import { openRaw, rawRequest } from "../world/raw.ts";
import { startWorld } from "../world/world.ts";

const sample = await readFile(new URL("../../deploy/nginx.conf", import.meta.url), "utf8");

/** The sample configuration with a test's ports and files, and without the certificate. */
const fitted = (text: string, folder: string, ports: Readonly<Record<string, number>>): string =>
  text
    .replace(/^\s*(listen \[::\]|ssl_certificate).*$/gm, "")
    .replace("listen 80;", `listen 127.0.0.1:${ports.plain};`)
    .replace("listen 443 ssl;", `listen 127.0.0.1:${ports.tls};`)
    .replace("127.0.0.1:3000", `127.0.0.1:${ports.service}`)
    .replaceAll("/var/log/nginx", folder);

/** nginx in front of a service, with the sample configuration. @returns its address and its two logs */
const startNginx = async (t: TestContext, text: string, service: string) => {
  const folder = await mkdtemp(join(tmpdir(), "parley-nginx-"));
  const ports = {
    plain: await freePort(),
    tls: await freePort(),
    service: Number(new URL(service).port),
  };
  const config = join(folder, "nginx.conf");
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  await mkdir(folder, { recursive: true });
  await writeFile(
    config,
    `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;
    events {}
    http { access_log ${folder}/access.log; ${temporary.join(" ")}
    ${fitted(text, folder, ports)} }`,
  );
  const nginx = spawn("nginx", ["-p", folder, "-c", config], { stdio: "ignore" });
  t.after(async () => {
    const ended = nginx.exitCode === null ? once(nginx, "exit") : undefined;
    nginx.kill("SIGKILL");
    await ended;
    await rm(folder, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${ports.tls}`;
  const isUp = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until("nginx answers", isUp);
  const log = (name: string) => readFile(join(folder, `${name}.log`), "utf8");
  return { url, access: () => log("access"), error: () => log("error") };
};

/** nginx's answer to a WebSocket request. */
const upgrade = async (url: string, path: string): Promise<string> => {
  const { socket, send, wait } = openRaw(url);
  send(
    rawRequest([
      ...[`GET ${path} HTTP/1.1`, "Host: meet.example.org", "Connection: Upgrade"],
      ...["Upgrade: websocket", "Sec-WebSocket-Version: 13"],
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ]),
  );
  const said = await wait(/\r\n\r\n/);
  socket.destroy();
  return said.split(" ")[1] ?? "";
};

/** Connects with a ticket, also while the service is away. Do nginx's logs contain the ticket? */
const keepsTickets = async (t: TestContext, text: string): Promise<void> => {
  const world = await startWorld(t);
  const { url, access, error } = await startNginx(t, text, world.url);
  const signaling = "/api/meeting/rtc/v1?access_token=the-ticket&join_request=AAAA";
  assert.match(await upgrade(url, signaling), /^40[34]$/, "no such ticket, or no engine");
  assert.equal(await upgrade(url, "/api/meeting/socket"), "101", "WebSockets are forwarded");
  await world.parley.stop();
  for (const path of [signaling, "/api/meeting/rtc/v1/validate?access_token=the-ticket"]) {
    assert.equal(await upgrade(url, path), "502");
  }
  assert.equal(await upgrade(url, "/api/meeting/socket"), "502");
  await until("nginx has logged it", async () => (await access()).includes("validate"));
  await until("nginx has told of the service", async () =>
    (await error()).includes("/api/meeting/socket"),
  );
  assert.match(await access(), /GET \/api\/meeting\/rtc\/v1(\?\S*)? HTTP\/1\.1" 40[34]/);
  assert.doesNotMatch(await access(), /the-ticket/);
  assert.doesNotMatch(await error(), /the-ticket/);
};

const skip = { skip: withoutNginx() };

test("nginx with the sample configuration forwards WebSockets, and logs no ticket", skip, (t) =>
  keepsTickets(t, sample),
);

test("nginx with its default logging writes tickets to both of its logs", skip, async (t) => {
  const usual = sample.replace(/^\s*access_log [^;]*;$/gm, "");
  const noError = sample.replace(/^\s*error_log [^;]*;$/gm, "");
  for (const text of [usual, noError]) {
    assert.notEqual(text, sample);
    await assert.rejects(keepsTickets(t, text), /the-ticket/);
  }
});
