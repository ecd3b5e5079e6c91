// Runs: sqlite, complete

import { compiled, trySamples } from "./samples.ts";

await trySamples(compiled);
