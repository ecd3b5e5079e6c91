// Runs test files in this process, one after the other, each as a suite that bears its path. Most
// of what a short file costs is loading the service, which is then loaded once.
import { after, suite } from "node:test";
import { pathToFileURL } from "node:url";

const runToItsEnd = (file: string): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  void suite(file, async () => {
    try {
      await import(pathToFileURL(file).href);
    } finally {
      // Given last, this hook runs after those of the file.
      after(() => resolve());
    }
  });
  return promise;
};

for (const file of process.argv.slice(2)) await runToItsEnd(file);
