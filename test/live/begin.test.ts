import assert from "node:assert/strict";
import { test } from "node:test";
import { enter } from "../meetings/inside.ts";
import { newPlace } from "../meetings/place.ts";
import { startWorld } from "../world/world.ts";

const world = await startWorld(test, { environment: { ALLOWED_NETWORKS: "loopback" } });
const { url, open } = world;

test("a live stream begins only if the settings and the machine allow it, and its key is never answered", async (t) => {
  const { tenant, asAdmin, edit, code } = await newPlace(world, {
    liveStreamUrl: "rtmp://127.0.0.1:9/app",
    liveStreamKey: "sentinel-room-key",
  });
  const start = async (input: object = {}) => {
    const { status, body } = await tenant.ask("startStream", { roomId: "r", ...input });
    return [status, body.code];
  };
  assert.deepEqual(await start(), [409, "no_meeting"]);
  const moderator = await enter(t, { url, ask: asAdmin }, "r");
  const guest = await enter(t, { url, ask: open }, code, { peerName: "Gus" });
  assert.deepEqual(await start(), [409, "live_stream_off"]);
  assert.equal(await guest.do("startStream", {}), "moderators_only");
  await edit({ enableLiveStreaming: true });
  assert.deepEqual(await start({ url: "rtmp://127.0.0.1:9/app" }), [409, "rtmp_off"]);
  // This service has no capture page.
  assert.deepEqual(await start(), [503, "recorder_missing"]);
  await edit({ enableRTMPStreaming: true });
  assert.deepEqual(await start({ url: "https://127.0.0.1/app" }), [400, "invalid_input"]);
  assert.deepEqual(await start({ url: "rtmp://user:pass@127.0.0.1/app" }), [400, "invalid_input"]);

  await tenant.change(({ tx }) => tx.updateTable("processes").set({ recorders: 1 }).execute());
  const { body } = await tenant.ask("startStream", { roomId: "r" });
  assert.deepEqual(
    { ...body.liveStream, since: "" },
    { state: "queued", since: "", kind: "rtmp", target: "rtmp://127.0.0.1:9", error: null },
  );
  assert.equal(await moderator.do("startStream", {}), "live_stream_active");
  await guest.sees("the stream", ({ meeting }) => meeting.liveStream?.state === "queued");
  const told = async () => {
    const { stream, streaming } = (await open("fetchInvitation", { roomId: code })).body.invitation;
    return { stream, streaming };
  };
  assert.deepEqual(await told(), { stream: false, streaming: false });
  await tenant.change(({ tx }) =>
    tx
      .updateTable("runs")
      .set({ state: "live", process: "another", lease_until: "2999-01-01T00:00:00.000Z" })
      .where("organization_id", "=", tenant.id)
      .execute(),
  );
  assert.deepEqual(await told(), { stream: false, streaming: true }, "known before one enters");
  const run = await world.database.read
    .selectFrom("runs")
    .select("receiver")
    .where("organization_id", "=", tenant.id)
    .executeTakeFirstOrThrow();
  const seen = [
    JSON.stringify(body),
    JSON.stringify(moderator.messages),
    run.receiver ?? "",
    JSON.stringify((await tenant.ask("getMeeting", { roomId: "r" })).body),
    ...world.log,
  ].join("\n");
  assert.equal(seen.includes("sentinel-room-key"), false);
  assert.match(run.receiver ?? "", /^v1\./);
});
