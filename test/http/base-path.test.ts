// Runs: sqlite

import assert from "node:assert/strict";
import { test } from "node:test";
import { WebSocket } from "ws";
import { bearer } from "../world/ask.ts";
import { startWorld } from "../world/world.ts";

/*
 * PUBLIC_URL with a path: a proxy passes requests on as browsers send them, or without this path. The
 * service understands both, and everything that it answers leads back below the path.
 */

const BASE = "/video/parley";
const world = await startWorld(test, {
  environment: { PUBLIC_URL: `http://meet.example.org${BASE}` },
});
const { ask, admin, token } = await world.tenant();

for (const prefix of ["", BASE]) {
  const where = prefix === "" ? "without the path" : "with the path";

  test(`operations answer requests ${where}`, async () => {
    const listed = await fetch(`${world.url}${prefix}/api/roomSetting/paginated?limit=1`, {
      headers: bearer(token),
    });
    assert.equal(listed.status, 200);
    const unknown = await fetch(`${world.url}${prefix}/api/nothing`, {
      headers: bearer(token),
    });
    assert.equal(unknown.status, 404);
    assert.equal((await fetch(`${world.url}${prefix}/healthz`)).status, 200);
  });

  test(`the meeting socket opens ${where}`, async () => {
    const url = `${world.url.replace(/^http/, "ws")}${prefix}/api/meeting/socket`;
    const socket = new WebSocket(url);
    await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
    socket.terminate();
  });

  test(`the page of the interface and the document are below the path, asked ${where}`, async () => {
    const page = await (await fetch(`${world.url}${prefix}/docs`)).text();
    const parts = [...page.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, part]) => part ?? "");
    const others = parts.filter((part) => !part.startsWith("#"));
    assert.ok(others.length > 0);
    for (const part of others) assert.ok(part.startsWith(`${BASE}/`), part);
    // The icon is the console's, which does not run here.
    for (const part of others.filter((one) => !one.endsWith("/icon.svg"))) {
      assert.equal((await fetch(world.url + part)).status, 200, part);
    }
    const document = await fetch(`${world.url}${prefix}/openapi.json`);
    const { servers } = (await document.json()) as { readonly servers: unknown };
    assert.deepEqual(servers, [{ url: `http://meet.example.org${BASE}` }]);
  });
}

test("a path that only begins like the one of PUBLIC_URL is another path", async () => {
  for (const path of [`${BASE}s/healthz`, `${BASE}api/roomSetting/paginated`, "/video/healthz"]) {
    assert.equal((await fetch(world.url + path)).status, 404, path);
  }
});

test("cookies, links and addresses in answers lead below the path", async () => {
  const { body: created } = await ask("createRoom", { name: "Board", roomOwnerId: admin.id });
  const { body: link } = await ask("getRoomLink", { roomId: created.roomSetting.room });
  assert.match(link.url, new RegExp(`^http://meet\\.example\\.org${BASE}/m/`));
  const entering = { roomId: link.code, peerName: "Ann" };
  const joined = await world.open("joinRoom", entering);
  assert.equal(joined.body.socket, `${BASE}/api/meeting/socket`);
  const [cookie = ""] = joined.headers.getSetCookie();
  assert.match(cookie, new RegExp(`; Path=${BASE}/api/meeting;`));
});
