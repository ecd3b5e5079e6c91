import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";

// Imported by a computed address: only the console has a browser's types.
const { Link } = await import(new URL("../../console/meet/call/link.ts", import.meta.url).href);

/** A browser that replaces tracks when the test lets it. */
const slowBrowser = (t: TestContext) => {
  const waiting: (() => void)[] = [];
  const senders: { track: unknown }[] = [];
  class Connection {
    connectionState = "new";
    signalingState = "stable";
    getTransceivers = () => senders.map((sender) => ({ direction: "sendrecv", sender }));
    addTransceiver() {
      const sender = {
        track: null as unknown,
        getParameters: () => ({ encodings: [] }),
        replaceTrack: (track: unknown) =>
          new Promise<void>((resolve) => {
            waiting.push(() => {
              sender.track = track;
              resolve();
            });
          }),
      };
      senders.push(sender);
      return { sender };
    }
    close() {
      this.connectionState = "closed";
    }
  }
  const browser = globalThis as { RTCPeerConnection?: unknown };
  browser.RTCPeerConnection = Connection;
  t.after(() => delete browser.RTCPeerConnection);
  return {
    sent: () => senders[0]?.track,
    /** Replaces tracks until none waits. */
    catchUp: async () => {
      await new Promise(setImmediate);
      while (waiting.length > 0) {
        waiting.shift()?.();
        await new Promise(setImmediate);
      }
    },
  };
};

test("a person who mutes and unmutes faster than tracks are replaced ends in the last state", async (t) => {
  const browser = slowBrowser(t);
  const microphone = {};
  let wanted: object | null = microphone;
  const link = new Link({
    polite: false,
    iceServers: [],
    send: () => {},
    onChange: () => {},
    track: (source: string) => (source === "audio" ? wanted : null),
    may: () => true,
    quality: () => ({ bitrate: 1, smaller: 1 }),
  });
  t.after(() => link.close());
  /** The person presses the button so often, before the browser has replaced anything. */
  const press = async (times: number): Promise<void> => {
    for (let time = 0; time < times; time += 1) {
      wanted = wanted === null ? microphone : null;
      void link.arrange();
      await new Promise(setImmediate);
    }
    await browser.catchUp();
  };
  await press(1);
  assert.equal(browser.sent(), null, "muted while the connection is opened");
  await press(1);
  assert.equal(browser.sent(), microphone);
  await press(2);
  assert.equal(browser.sent(), microphone, "heard again");
  await press(3);
  assert.equal(browser.sent(), null, "muted");
});
