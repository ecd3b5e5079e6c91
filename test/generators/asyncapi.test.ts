// Runs: sqlite, complete

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { send } from "../world/ask.ts";
import { startWorld } from "../world/world.ts";
import { asyncApiParser } from "./tools.ts";

test("AsyncAPI's own parser finds no fault in the document of the meeting socket", async (t) => {
  const tool = await asyncApiParser();
  if ("missing" in tool) return t.skip(tool.missing);
  const world = await startWorld(t);
  const { body } = await send(world.url, { method: "GET", path: "/asyncapi.json" });
  const { Parser } = createRequire(join(tool.path, "package.json"))(tool.path);
  const { document, diagnostics } = await new Parser().parse(JSON.stringify(body));
  const faults = diagnostics.filter(
    // 3.1 differs in nothing that the document uses.
    ({ code }: { readonly code: string }) => code !== "asyncapi-latest-version",
  );
  assert.deepEqual(faults, []);
  assert.ok(document.messages().all().length > 30);
});
