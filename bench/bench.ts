import type { DatabaseName, Dataset, Size } from "./dataset.ts";
import type { BenchPostgres } from "./postgres.ts";

/** A running service of the bench. */
export interface Served {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

export interface ServeOptions {
  /** A data folder to use instead of the dataset's own. */
  readonly dataDir?: string;
  /** Settings in addition to those of every benchmarked service. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** The parts that the targets share. */
export interface Bench {
  /** True if this run only checks that everything works: small data and short rounds. */
  readonly isQuick: boolean;
  readonly rounds: number;
  /** How long one measurement takes. */
  readonly seconds: number;
  /** How long a recording is. */
  readonly recordedSeconds: number;
  /** The data of one size, created if necessary. */
  dataset(database: DatabaseName, size: Size): Promise<Dataset>;
  /** A service on the dataset; all calls share it. */
  service(dataset: Dataset): Promise<Served>;
  /** A separate service on the dataset; the caller ends it. */
  start(dataset: Dataset, options?: ServeOptions): Promise<Served>;
  /** Ends the shared service, so that another one can start. */
  release(dataset: Dataset): Promise<void>;
  /** The PostgreSQL server of the run, started if necessary. */
  postgres(): Promise<BenchPostgres>;
  /** Where a benchmarked program may write: removed at the end. */
  folder(name: string): string;
}

export const databases: readonly DatabaseName[] = ["SQLite", "PostgreSQL"];
