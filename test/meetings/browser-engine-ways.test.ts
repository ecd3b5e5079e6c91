import { after, test } from "node:test";
import { noEngine } from "../run/engine.ts";
import { startEngine } from "./engine.ts";
import { withEngine } from "./engine-found.ts";
import { isInside, leaveAll, type Person, startMeetings } from "./people.ts";

const engine = noEngine ? undefined : await startEngine({ after });
const meetings = engine && (await startMeetings(engine.environment));

/** A browser between which and the engine no media pass, until `globalThis.passes`. */
const NO_MEDIA = `{
  const Connection = globalThis.RTCPeerConnection;
  globalThis.RTCPeerConnection = class extends Connection {
    constructor(given, ...more) {
      super(globalThis.passes ? given : { ...given, iceTransportPolicy: "relay" }, ...more);
    }
    setConfiguration(given) {
      super.setConfiguration(globalThis.passes ? given : { ...given, iceTransportPolicy: "relay" });
    }
  };
}`;

const BREAK = `{
  globalThis.broken = connections.filter((pc) => pc.connectionState === "connected");
  for (const pc of broken)
    Object.defineProperty(pc, "connectionState", { value: "disconnected", configurable: true });
}`;

test("people whose media do not come through the engine read that, and so do the others, with the same words as where browsers connect directly, until they come", {
  skip: noEngine,
}, async () => {
  const { room, enter } = await withEngine(meetings);
  const { path } = await room();
  const ada = await enter(path, "Ada", { asAdministrator: true });
  const ben = await enter(path, "Ben", { script: NO_MEDIA });
  await Promise.all([isInside(ada), isInside(ben)]);
  const banner = ({ page }: Person, text: string) =>
    page
      .getByRole("alert")
      .filter({ hasText: `Nobody sees or hears you` })
      .filter({ hasText: text });
  const slow = "No connection yet.";
  const broken = "Trying to reconnect";
  await banner(ben, slow).waitFor();
  await ada.tile("Ben").getByText(slow).waitFor();
  await ada.page.keyboard.press("p");
  await ada.page.getByRole("img", { name: "no video and sound" }).waitFor();
  await ben.page.evaluate("globalThis.passes = true");
  await banner(ben, slow).waitFor({ state: "detached" });
  await ada.tile("Ben").getByText(slow).waitFor({ state: "detached" });
  await Promise.all([ada, ben].map((one) => one.receivesOnly({ video: 1, audio: 1 })));

  await ben.page.evaluate(BREAK);
  await banner(ben, broken).waitFor();
  await ben.tile("Ada").getByText(broken).waitFor();
  await ben.page.evaluate("for (const pc of broken) delete pc.connectionState;");
  await banner(ben, broken).waitFor({ state: "detached" });
  await ben.tile("Ada").getByText(broken).waitFor({ state: "detached" });
  await leaveAll(ada, ben);
});
