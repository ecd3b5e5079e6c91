// Runs: always

import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const IMPORT = /import \{([^}]*)\} from "@mantine\/core";/g;

test("every library component that the console uses has its stylesheet", () => {
  const used = globSync("console/{*,*/*}.tsx", { cwd: root }).flatMap((file) =>
    [...readFileSync(`${root}/${file}`, "utf8").matchAll(IMPORT)].flatMap(([, names = ""]) =>
      names.split(",").map((name) => name.trim()),
    ),
  );
  assert.ok(used.includes("Radio"), "the components are found");
  const loaded = readFileSync(`${root}/console/theme/mantine.ts`, "utf8");
  const missing = [...new Set(used)].filter(
    (name) =>
      existsSync(`${root}/node_modules/@mantine/core/styles/${name}.css`) &&
      !loaded.includes(`styles/${name}.css"`),
  );
  assert.deepEqual(missing, []);
});
