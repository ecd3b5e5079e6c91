import type { RawData, WebSocket } from "ws";
import type { Credit } from "./credit.ts";
import type { Filter, Step } from "./filter.ts";

/** While more bytes than this wait for one side, the other side is not read. */
const HIGH = 1024 * 1024;
/** The close code for a client whose engine is gone: LiveKit's client then resumes (RFC 6455, 7.4). */
export const GOING_AWAY = 1001;
/** A dead network is noticed after three unanswered pings. */
const PING_MS = 5_000;
/** How soon a message that was held back is tried again. */
const AGAIN_MS = 250;

const bytesOf = (data: RawData): Uint8Array =>
  Array.isArray(data)
    ? Buffer.concat(data)
    : data instanceof ArrayBuffer
      ? new Uint8Array(data)
      : data;

/** Sends, and stops reading the source while too much waits for the target. */
const send = (target: WebSocket, source: WebSocket, frames: readonly Uint8Array[]): void => {
  for (const frame of frames) {
    target.send(frame, () => {
      if (target.bufferedAmount <= HIGH) source.resume();
    });
  }
  if (target.bufferedAmount > HIGH) source.pause();
};

/**
 * Connects a client and the engine through a filter, until either side closes.
 *
 * @param engine paused; read from here on
 * @param credit of the client's person
 * @param ended called once, with the error if a message or the network was at fault, and with the
 *   milliseconds without a sign of the client if that was the reason
 */
export const connect = (
  client: WebSocket,
  engine: WebSocket,
  { filter, credit }: { readonly filter: Filter; readonly credit: Credit },
  ended: (error: Error | undefined, silentMs: number) => void,
): void => {
  let problem: Error | undefined;
  let over = false;
  let unanswered = 0;
  let heard = performance.now();
  let silentMs = 0;
  let again: NodeJS.Timeout | undefined;

  const finish = (): void => {
    if (over) return;
    over = true;
    clearInterval(beat);
    clearTimeout(again);
    // A side that does not answer the close must not keep its socket open.
    client.close(GOING_AWAY);
    engine.close();
    setTimeout(() => {
      client.terminate();
      engine.terminate();
    }, PING_MS).unref();
    ended(problem, silentMs);
  };
  const fail = (error: Error): void => {
    problem ??= error;
    client.terminate();
    finish();
  };
  const beat = setInterval(() => {
    if (unanswered >= 3) {
      silentMs = performance.now() - heard;
      fail(new Error("The client has not answered for 15 seconds."));
    } else if (client.readyState === client.OPEN) {
      unanswered++;
      client.ping();
    }
  }, PING_MS).unref();

  const pass = (read: (bytes: Uint8Array) => Step) => (data: RawData) => {
    if (over) return;
    try {
      const step = read(bytesOf(data));
      send(client, engine, step.client);
      send(engine, client, step.engine);
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)));
    }
  };
  const passMutes = (): void => {
    send(engine, client, filter.releaseMutes());
    again = filter.holdsMutes() ? setTimeout(passMutes, AGAIN_MS).unref() : undefined;
  };
  client
    .on(
      "message",
      pass((bytes) => filter.fromClient(bytes, credit.budget.forMessage(bytes))),
    )
    .on("message", () => {
      if (!over && filter.holdsMutes()) again ??= setTimeout(passMutes, AGAIN_MS).unref();
    });
  engine.on(
    "message",
    pass((bytes) => filter.fromEngine(bytes)),
  );
  client.on("pong", () => {
    unanswered = 0;
    heard = performance.now();
  });
  for (const socket of [client, engine]) {
    socket.on("error", fail).on("close", finish);
  }
  engine.resume();
};
