import { fork } from "node:child_process";
import { once } from "node:events";

/** The counts of a publishing process so far. */
export interface Received {
  /** The number of people whose pictures arrived, counted once per receiver. */
  readonly tracks: number;
  /** Pictures sent. */
  readonly sent: number;
  /** Pictures received, summed over all receivers. */
  readonly pictures: number;
}

export type Message = "ready" | Received;

/** People who publish and receive, in a separate process. */
export interface Publishing {
  count(): Promise<Received>;
  end(): Promise<void>;
}

/**
 * Lets people publish and receive by LiveKit's client for Node.
 *
 * @param publishers their tickets
 * @param receivers their tickets
 * @throws Error if one of them is not let in
 */
export const publish = async (
  url: string,
  publishers: readonly string[],
  receivers: readonly string[],
): Promise<Publishing> => {
  const path = new URL("publishing-process.ts", import.meta.url);
  const given = [`${url}/api/meeting`, JSON.stringify(publishers), JSON.stringify(receivers)];
  const child = fork(path, given, { stdio: ["ignore", "ignore", "pipe", "ipc"] });
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  const ended = once(child, "exit");
  const failed = ended.then(() => {
    throw new Error(`The people who publish ended:\n${said}`);
  });
  failed.catch(() => {});
  const next = async (): Promise<Message> => {
    const [message] = await Promise.race([once(child, "message"), failed]);
    return message;
  };
  await next();
  return {
    async count() {
      const message = next();
      child.send("count");
      return (await message) as Received;
    },
    async end() {
      child.send("end");
      await ended;
    },
  };
};
