// Runs: sqlite, complete

import { scripts, trySamples } from "./samples.ts";

await trySamples(scripts);
