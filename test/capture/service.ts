import { fileURLToPath } from "node:url";
import type { CaptureOptions } from "../../server/capture/capture.ts";
import { readConfig } from "../../server/config/config.ts";
import { startParley } from "../../server/main.ts";

/*
 * A service in its own process, which tests kill. It reports its address, and captures on request.
 */

const pages = fileURLToPath(new URL("../../console/dist", import.meta.url));
const parley = await startParley(readConfig(process.env), { console: { folder: pages } });
process.on("message", (options: CaptureOptions) => {
  parley.captures.start(options).then(
    () => process.send?.("capturing"),
    (error: unknown) => process.send?.(`failed: ${error}`),
  );
});
process.on("disconnect", () => process.exit());
process.send?.(parley.url);
