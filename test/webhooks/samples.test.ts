// Runs: sqlite

import { scripts, trySamples } from "./samples.ts";

await trySamples(scripts);
