// Prints how much of Fastify's throughput a fetch reaches, as one line: CI and a complete run of the tests end with it.
import { openBench } from "./open-bench.ts";
import { median, ratios } from "./statistics.ts";
import { fetchesBesideConstants } from "./targets/01-fetch-on-sqlite.ts";

const bench = openBench(true);
try {
  const { ours, constants } = await fetchesBesideConstants(bench, "small");
  const ratio = median(ratios(ours, constants)).toFixed(2);
  process.stdout.write(
    `A fetch reaches ${ratio} of Fastify's constant on SQLite, in one short run.\n`,
  );
} finally {
  await bench.close();
}
