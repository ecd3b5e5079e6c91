import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { appendFile, writeFile } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createClient } from "../../contract/client.ts";
import { isInside, leaveAll, openMeetings } from "../meetings/people.ts";
import { endShared } from "../run/shared.ts";
import { isReady, until } from "../world/process.ts";
import { type Container, openContainers } from "./buildah.ts";
import { type ComposeService, readCompose } from "./compose.ts";

/*
 * Starts the containers of deploy/compose.yaml with all profiles, in a network of their own, in which each has the
 * ports that it has in its container. The argument is the folder of the store that has their images.
 */

const [, , store = ""] = process.argv;
const folder = mkdtempSync(join(tmpdir(), "parley-composed-"));
const deploy = join(folder, "deploy");
cpSync(fileURLToPath(new URL("../../deploy", import.meta.url)), deploy, { recursive: true });
const admin = { email: "admin@example.org", password: "the quiet harbour at dawn" };
const settings = {
  COMPOSE_PROFILES: "https,postgres,livekit,turn",
  PUBLIC_URL: "https://localhost",
  MEDIA_ADDRESS: "10.77.0.1",
};
const lines = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");
await writeFile(join(deploy, ".env"), lines(settings));
execFileSync("sh", [join(deploy, "prepare.sh")]);
await appendFile(
  join(deploy, "secrets/parley.env"),
  lines({ PARLEY_ADMIN_EMAIL: admin.email, PARLEY_ADMIN_PASSWORD: admin.password }),
);

const { services, secrets } = readCompose(settings);
const containers = openContainers({ after }, store);
after(async () => {
  await endShared();
  rmSync(folder, { recursive: true, force: true });
});

/** The mounts of a service: files beside compose.yaml, secrets, and named volumes, which are folders here. */
const mountsOf = (name: string, service: ComposeService) => {
  const mounts = (service.volumes ?? []).map((volume) => {
    const [from = "", to = ""] = volume.split(":");
    if (from.startsWith("./")) return [to, join(deploy, from)];
    const path = join(folder, "volumes", from);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return [to, path];
  });
  const files = (service.secrets ?? []).map((secret) => {
    const file = secrets[secret]?.file;
    assert.ok(file, `${name}: ${secret}`);
    return [`/run/secrets/${secret}`, join(deploy, file)];
  });
  return Object.fromEntries([...mounts, ...files]);
};

/** Starts a service as compose.yaml says, and waits until its check succeeds. */
const start = async (name: string): Promise<Container> => {
  const service = services[name];
  assert.ok(service, name);
  const image = service.image.startsWith("parley:")
    ? service.image
    : service.image.replace(/:[^:]*$/, "");
  const profile = service.security_opt?.find((one) => one.startsWith("seccomp="));
  const container = await containers.start(image, {
    environment: service.environment ?? {},
    volumes: mountsOf(name, service),
    tmpfs: (service.tmpfs ?? []).map((mount) => mount.split(":")[0] ?? ""),
    rights: service.cap_add ?? [],
    names: Object.keys(services),
    ...(service.command && { command: service.command }),
    ...(service.init && { init: true }),
    ...(service.user && { user: service.user }),
    ...(service.healthcheck && { check: service.healthcheck.test }),
    ...(profile && { seccomp: join(deploy, profile.replace("seccomp=", "")) }),
  });
  await until(`${name} is healthy`, async () => {
    if (container.hasEnded()) throw new Error(`${name} ended: ${container.said()}`);
    return container.isHealthy();
  });
  return container;
};

const order = ["postgres", "livekit", "coturn", "parley", "caddy"];
const started = new Map<string, Container>();
for (const name of order) started.set(name, await start(name));
const url = settings.PUBLIC_URL;
await until("the proxy serves", () => isReady(url));
const { token, user } = await createClient({ baseUrl: url }).signIn({
  login: admin.email,
  password: admin.password,
});
const client = createClient({ baseUrl: url, token });
const meetings = await openMeetings({ url, admin, adminId: user.id, client });

test("people meet through the proxy, and every container ends in order", async () => {
  const { path } = await meetings.room();
  const ada = await meetings.enter(path, "Ada", { asAdministrator: true, ignoreHTTPSErrors: true });
  const ben = await meetings.enter(path, "Ben", { ignoreHTTPSErrors: true });
  await Promise.all([ada, ben].map(isInside));
  const none = { frames: 0, energy: 0 };
  await Promise.all([ada, ben].map((one) => one.receivesMore(none)));
  await leaveAll(ada, ben);
  for (const name of order.toReversed()) {
    const signal = services[name]?.stop_signal as NodeJS.Signals | undefined;
    const code = await started.get(name)?.end(signal);
    // A process that the signal ends has the exit code that Docker's first process gives it.
    const expected = services[name]?.init ? 128 + constants.signals.SIGTERM : 0;
    assert.equal(code, expected, `${name}: ${started.get(name)?.said()}`);
  }
});
