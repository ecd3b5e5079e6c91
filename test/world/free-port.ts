import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ports that systems choose themselves: what listens on port 0 meanwhile does not take one of these. */
const [FROM, TO] = [10_000, 30_000];

/** A port of the loopback address that was free a moment ago. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(FROM, TO);
    const server = createServer().listen(port, "127.0.0.1");
    const listens = await once(server, "listening").then(
      () => true,
      () => false,
    );
    if (!listens) continue;
    server.close();
    await once(server, "close");
    return port;
  }
};
