import { once } from "node:events";
import { appendFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { connect as connectTls } from "node:tls";
import { withoutHaproxy, withoutNginx } from "../run/programs.ts";
import { unpacked } from "../run/unpacked.ts";
import { openCertificates, withoutOpenssl } from "../world/certificates.ts";
import { freePort } from "../world/free-port.ts";
import { until } from "../world/process.ts";
import { startProgram } from "../world/program.ts";
import { rawRequest } from "../world/raw.ts";

/* The samples of proxies in deploy/, run by the proxies themselves. */

/** A sample of deploy/ with a test's files and ports. */
interface Fitting {
  readonly folder: string;
  readonly cert: string;
  readonly key: string;
  readonly plain: number;
  readonly tls: number;
  /** The ports of the services. */
  readonly services: readonly number[];
}

export interface SampleProxy {
  readonly sample: string;
  readonly skip: string | false;
  /** The whole configuration of a test. */
  fitted(text: string, fitting: Fitting): string;
  /** The program with its arguments. */
  command(config: string, folder: string): readonly [string, ...string[]];
  /** The proxy's log lines for a request to a path. */
  readonly logged: RegExp;
}

const read = (name: string): Promise<string> =>
  readFile(new URL(`../../deploy/${name}`, import.meta.url), "utf8");

const nginx: SampleProxy = {
  sample: await read("nginx.conf"),
  skip: withoutNginx() || withoutOpenssl,
  fitted: (text, { folder, cert, key, plain, tls, services }) => {
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    const placed = text
      .replace(/^\s*listen \[::\].*$/gm, "")
      .replace("listen 80;", `listen 127.0.0.1:${plain};`)
      .replace("listen 443 ", `listen 127.0.0.1:${tls} `)
      .replace(/ssl_certificate .*;/, `ssl_certificate ${cert};`)
      .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`)
      .replace(
        /server 127.0.0.1:3000;/,
        services.map((port) => `server 127.0.0.1:${port};`).join(" "),
      )
      .replaceAll("/var/log/nginx", folder);
    return `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;
      events {}
      http { access_log ${folder}/access.log; ${temporary.join(" ")} ${placed} }`;
  },
  command: (config, folder) => ["nginx", "-p", folder, "-c", config],
  logged: /GET \/api\/meeting\/rtc\/v1(\?\S*)? HTTP\/1\.1" 40[34]/,
};

const haproxy: SampleProxy = {
  sample: await read("haproxy.cfg"),
  skip: withoutHaproxy() || withoutOpenssl,
  fitted: (text, { folder, plain, tls, services }) =>
    text
      .replace("/dev/log local0", "stdout format raw local0")
      .replace("bind :80", `bind 127.0.0.1:${plain}`)
      .replace("bind :443", `bind 127.0.0.1:${tls}`)
      .replace("/etc/haproxy/meet.example.org.pem", `${folder}/both.pem`)
      .replace(/^\tserver (\w+) 127.0.0.1:3000 (.*)$/m, (_, name, options) =>
        services.map((port, n) => `\tserver ${name}${n} 127.0.0.1:${port} ${options}`).join("\n"),
      ),
  command: (config) => ["haproxy", "-db", "-f", config],
  logged: / 40[34] .* GET \/api\/meeting\/rtc\/v1(\?\S*)? HTTP\/1\.1/,
};

/** Debian's Caddy; undefined where its package cannot be had. */
const caddyPath = unpacked("caddy", "usr/bin/caddy");

const caddy: SampleProxy = {
  sample: await read("Caddyfile"),
  skip: caddyPath === undefined ? "Debian's package of Caddy cannot be had" : withoutOpenssl,
  fitted: (text, { folder, cert, key, tls, services }) =>
    text
      .replace("{\n", `{\n\tadmin off\n\tauto_https off\n\tstorage file_system ${folder}\n`)
      .replace(
        "{$PUBLIC_URL:meet.example.org} {",
        `:${tls} {\n\tbind 127.0.0.1\n\ttls ${cert} ${key}`,
      )
      .replace(
        "{$PARLEY_ADDRESS:127.0.0.1:3000}",
        services.map((port) => `127.0.0.1:${port}`).join(" "),
      ),
  command: (config) => [caddyPath ?? "", "run", "--adapter", "caddyfile", "--config", config],
  logged: /"uri":"\/api\/meeting\/rtc\/v1"/,
};

export const proxies = { nginx, haproxy, caddy };

/** A proxy in front of services. @returns its port for TLS, and all that it logs */
export const startProxy = async (
  t: TestContext,
  proxy: SampleProxy,
  text: string,
  urls: readonly string[],
) => {
  const folder = await mkdtemp(join(tmpdir(), "parley-proxy-"));
  const { cert, key } = (await openCertificates(t)).make("proxy");
  const [plain, tls] = [await freePort(), await freePort()];
  const fitting = {
    folder,
    cert,
    key,
    plain,
    tls,
    services: urls.map((url) => Number(new URL(url).port)),
  };
  await writeFile(join(folder, "both.pem"), (await readFile(cert)).toString());
  await appendFile(join(folder, "both.pem"), await readFile(key));
  const config = join(folder, "proxy.conf");
  await writeFile(config, proxy.fitted(text, fitting));
  const [program, ...given] = proxy.command(config, folder);
  const { said } = startProgram(t, program, given);
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = (name: string) => readFile(join(folder, `${name}.log`), "utf8").catch(() => "");
  const logs = async () => said() + (await file("access")) + (await file("error"));
  await until(
    "the proxy answers",
    async () => (await upgrade(tls, "/api/meeting/socket")) === "101",
  );
  return { tls, logs };
};

/** The status with which a proxy answers a WebSocket request; empty if it does not. */
export const upgrade = async (port: number, path: string): Promise<string> => {
  const socket = connectTls({ port, host: "127.0.0.1", rejectUnauthorized: false });
  socket.write(
    rawRequest([
      `GET ${path} HTTP/1.1`,
      "Host: meet.example.org",
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ]),
  );
  // Nothing where the proxy does not listen yet.
  const [answer = ""] = await Promise.race([once(socket, "data"), once(socket, "close")]).catch(
    () => [],
  );
  socket.destroy();
  return /^HTTP\/1\.1 (\d+)/.exec(String(answer))?.[1] ?? "";
};
