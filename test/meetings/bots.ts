import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { RoomEvent } from "@livekit/rtc-node";
import type { Scope } from "../world/empty-database.ts";
import { until } from "../world/process.ts";
import type { World } from "../world/world.ts";
import { begin } from "./engine.ts";
import { invite } from "./invited.ts";
import { connectSdk, publishTone } from "./sdk.ts";

/** A bot's program, and its first arguments. */
type Program = readonly [string, ...string[]];

/**
 * Sends a bot into a meeting: it is heard and read, hears and reads, and leaves when it is asked to.
 *
 * @param program takes the address, the room and the invitation
 */
export const sendBot = async (
  t: Scope,
  world: World | undefined,
  [command, ...first]: Program,
): Promise<void> => {
  const { url, guest, moderator, tenant } = await begin(world);
  const [mod, ann] = [await moderator(t), await guest(t, "Ann")];
  const sdk = await connectSdk(t, url, ann.ticket);
  const heard = new Set<string>();
  sdk.on(RoomEvent.TrackSubscribed, (_track, _publication, { identity }) => heard.add(identity));
  await publishTone(sdk, 880);

  const bot = spawn(command, [...first, url, "r", await invite(tenant, "r", "Robbie")], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  t.after(() => bot.kill("SIGKILL"));
  let said = "";
  for (const stream of [bot.stdout, bot.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  }
  const ended = new Promise<number | null>((resolve) => bot.once("close", resolve));
  const says = (line: string) =>
    until(`the bot says: ${line}`, () => {
      assert.equal(bot.exitCode, null, said);
      return said.includes(line);
    });
  const peer = () => mod.view?.peers.find(({ peerName }) => peerName === "Robbie");

  await says("inside as Robbie");
  await says("hears Ann");
  await until("it is on", () => peer()?.audio === true);
  await until("Ann hears it", () => heard.has(peer()?.peerId ?? ""));
  await until("it has written", () => mod.chat.some(({ text }) => text === "Hello, I am a bot."));
  assert.equal(await mod.do("chat", { text: "bye" }), "ok");
  assert.equal(await ended, 0, said);
  assert.match(said, /writes: bye\n/);
  assert.match(said, /leaves: asked to leave/);
  await until("its seat is free", () => peer() === undefined);
};
