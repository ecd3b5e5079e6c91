// Runs: sqlite, pictures, complete, unsteady
// Needs: browser, buildah, ffmpeg, media-engine

import assert from "node:assert/strict";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { createClient } from "../../contract/client.ts";
import packageJson from "../../package.json" with { type: "json" };
import { isInside, leaveAll, openMeetings } from "../meetings/people.ts";
import { decode, PATIENCE, probe } from "../recordings/files.ts";
import { noEngine } from "../run/engine.ts";
import { freePort } from "../world/free-port.ts";
import { isReady, until } from "../world/process.ts";
import { type ContainerOptions, execute, openImages, withoutBuildah } from "./buildah.ts";

const skip = noEngine || (await withoutBuildah());
const images = skip ? undefined : await openImages(test);

const MOST_MEGABYTES = 220;
const admin = { email: "admin@example.org", password: "the quiet harbour at dawn" };
const seccomp = fileURLToPath(new URL("../../deploy/seccomp.json", import.meta.url));

/** Starts a service in a container, whose root nobody writes to, and waits until it serves. */
const startService = async (image: string, data: string) => {
  assert.ok(images);
  const port = String(await freePort());
  const options: ContainerOptions = {
    environment: {
      PORT: port,
      HOST: "127.0.0.1",
      MEDIA_ADDRESS: "127.0.0.1",
      MEDIA_UDP: "0",
      MEDIA_TCP: "off",
      PARLEY_ADMIN_EMAIL: admin.email,
      PARLEY_ADMIN_PASSWORD: admin.password,
      RATE_LIMIT: "0",
    },
    volumes: { "/data": data },
    tmpfs: ["/tmp"],
    seccomp,
  };
  const container = await images.start(image, options);
  const url = `http://127.0.0.1:${port}`;
  await until("the container serves", async () => {
    if (container.hasEnded()) throw new Error(container.said());
    return isReady(url);
  });
  const { token, user } = await createClient({ baseUrl: url }).signIn({
    login: admin.email,
    password: admin.password,
  });
  const client = createClient({ baseUrl: url, token });
  return { image, container, host: { url, admin, adminId: user.id, client } };
};

/** A folder for the data of a container. */
const volume = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "parley-volume-"));
  test.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

const stages = [
  ...readFileSync(new URL("../../deploy/Dockerfile", import.meta.url), "utf8").matchAll(
    /^FROM .* AS (\S+)$/gm,
  ),
].map(([, name = ""]) => name);

// The next tests find what is built here. Each stage takes minutes: one that does not end is named.
test("each stage of deploy/Dockerfile is built on Debian", { skip }, async (t) => {
  assert.ok(images);
  await t.test("Debian", images.makeBase);
  for (const stage of stages) await t.test(stage, async () => void (await images.build(stage)));
});

test("the image of the service is small, has no tools to install packages, and starts read-only", {
  skip,
}, async () => {
  assert.ok(images);
  const image = await images.build("service");
  const size = await images.sizeOf(image);
  assert.ok(size <= MOST_MEGABYTES, `${size} MB`);
  const { Labels = {} } = await images.configOf(image);
  assert.equal(Labels["org.opencontainers.image.version"], packageJson.version);
  const { container, host } = await startService(image, volume());
  assert.ok(await container.isHealthy());
  const shell = (text: string) => container.run("sh", "-c", text);
  assert.match((await shell("id -u; command -v apt perl npm")).said, /^10001\n$/);
  assert.match((await shell("touch /opt/parley/x")).said, /Read-only file system/);
  // Nothing of the sources, and nothing of the machine that built it.
  assert.match((await shell("ls -A / /opt /opt/parley /root; env")).said, /sbom\.cdx\.json/);
  const left = await shell(
    "find / -xdev -name '.env*' -o -xdev -name '.git' -o -xdev -name '.npmrc'",
  );
  assert.equal(left.said.replaceAll(/^find: .*\n/gm, ""), "");
  assert.equal((await container.run("parley", "--help")).code, 0);
  assert.equal((await host.client.getOrganization()).organization.name, "My organization");
  assert.equal(await container.end(), 0);
});

test("the image for media holds a meeting by LiveKit, records it in the browser's sandbox, and keeps its data", {
  skip,
}, async (t) => {
  assert.ok(images);
  const data = volume();
  const { container, host, image } = await startService(await images.build("media"), data);
  const meetings = await openMeetings(host, [], t);
  const { room, path } = await meetings.room({
    enableRecording: true,
    recordModerator: true,
    recordParticipant: true,
    recordingFormat: "mp4",
    recordingResolutions: ["480p"],
  });
  const ada = await meetings.enter(path, "Ada", { asAdministrator: true });
  const ben = await meetings.enter(path, "Ben");
  await Promise.all([ada, ben].map(isInside));
  const none = { frames: 0, energy: 0 };
  await Promise.all([ada, ben].map((one) => one.receivesMore(none)));
  await host.client.startRecording({ roomId: room });
  const becomes = (state: string) =>
    until(
      `the recording is ${state}`,
      async () => {
        const [now] = (await host.client.listRecordings({ roomId: room })).recordings;
        if (now?.state === "failed")
          throw new Error(`it failed: ${now.error}\n${container.said()}`);
        return now?.state === state;
      },
      PATIENCE,
    );
  await becomes("active");
  const segments = () => globSync("recordings/**/*.m4s", { cwd: data }).length;
  await until("something is recorded", () => segments() > 1, PATIENCE);
  await host.client.stopRecording({ roomId: room });
  await becomes("ready");
  const [file = ""] = globSync("recordings/**/*.mp4", { cwd: data });
  assert.ok((await probe(join(data, file))).seconds > 3);
  assert.equal(await decode(join(data, file)), "");
  await leaveAll(ada, ben);
  assert.equal(await container.end(), 0);

  const again = await startService(image, data);
  const { recordings } = await again.host.client.listRecordings({ roomId: room });
  assert.deepEqual(
    recordings.map(({ state }) => state),
    ["ready"],
  );
  assert.equal(await again.container.end(), 0);
});

/** Replacements of the images that compose.yaml takes from elsewhere: Debian's packages, started in the same way. */
const standIns = {
  "docker.io/library/caddy": `RUN apt-get update && apt-get install --yes --no-install-recommends caddy wget
ENV XDG_DATA_HOME=/data XDG_CONFIG_HOME=/config
CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]`,
  "docker.io/coturn/coturn": `RUN apt-get update && apt-get install --yes --no-install-recommends coturn tini
USER 65534:65534
ENTRYPOINT ["turnserver"]`,
  "docker.io/library/postgres": `RUN apt-get update && apt-get install --yes --no-install-recommends postgresql-17 \\
	&& chmod 3777 /run/postgresql
ENV LANG=C.UTF-8 PATH=/usr/lib/postgresql/17/bin:/usr/bin:/bin PGDATA=/var/lib/postgresql/data PGUSER=postgres
CMD ["bash", "-ec", "\
if [ ! -e $PGDATA/PG_VERSION ]; then \
initdb --username=$POSTGRES_USER --pwfile=$POSTGRES_PASSWORD_FILE; \
echo host all all all scram-sha-256 >> $PGDATA/pg_hba.conf; \
pg_ctl start --wait --options=--listen_addresses=; \
createdb --username=$POSTGRES_USER $POSTGRES_DB; pg_ctl stop --wait; \
fi; exec postgres --listen_addresses=*"]`,
};

/** The first lines of the program that holds the meeting: a network of its own, with an address for media. */
const network = `ip link set lo up
ip link add media type bridge && ip address add 10.77.0.1/24 dev media && ip link set media up
exec "$@"`;

test("the containers of compose.yaml start from one file, and hold a meeting through the proxy with TLS", {
  skip,
}, async (t) => {
  assert.ok(images);
  for (const [name, lines] of Object.entries(standIns)) {
    const text = `FROM debian:trixie-slim\n${lines}\n`;
    await t.test(name, async () => void (await images.buildText(name, text)));
  }
  const inside = fileURLToPath(new URL("./composed.ts", import.meta.url));
  const words = ["--net", "sh", "-ec", network, "sh", process.execPath, inside, images.folder];
  // The proxy signs the certificate of localhost itself.
  const trusting = { NODE_TLS_REJECT_UNAUTHORIZED: "0", NODE_TEST_CONTEXT: undefined };
  await execute("unshare", words, trusting);
});
