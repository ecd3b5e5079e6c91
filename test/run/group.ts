// Runs test files in this process, one after the other, each as a suite named after its path. Most of what a
// short file costs is loading the service, which is then loaded once.
import { writeFileSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { pathToFileURL } from "node:url";
import { follow, unfollow } from "./async-hook.ts";
import { processorSeconds } from "./processor.ts";
import { endShared } from "./shared.ts";

const { after, suite } = await import("node:test");

/** Errors that nothing caught while a file ran: node:test cannot name their test (see async-hook.ts). */
const uncaught: unknown[] = [];
for (const event of ["uncaughtException", "unhandledRejection"]) {
  process.on(event, (error: unknown) => uncaught.push(error));
}

const runToItsEnd = async (file: string): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  follow();
  void suite(file, async () => {
    try {
      await import(pathToFileURL(file).href);
    } finally {
      // Registered last, this hook runs after those of the file.
      after(() => {
        resolve();
        const [error] = uncaught.splice(0);
        if (error !== undefined) throw error;
      });
      unfollow();
    }
  });
  await promise;
  // Other processes need the cache before this one ends.
  flushCompileCache();
};

if (process.env.PARLEY_SEED) {
  const { default: check } = await import("fast-check");
  check.configureGlobal({ seed: Number(process.env.PARLEY_SEED) });
}

for (const file of process.argv.slice(2)) await runToItsEnd(file);
await endShared();
// Browsers that files share end here: what they used belongs to no file alone.
if (process.env.TEST_USED) writeFileSync(process.env.TEST_USED, String(processorSeconds()));
