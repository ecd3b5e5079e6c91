import type { Dataset, Size } from "./dataset.ts";
import type { DatabaseName } from "./target.ts";

/** A running service of the bench. */
export interface Served {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

export interface ServeOptions {
  /** Another data folder instead of the dataset's own. */
  readonly dataDir?: string;
  /** Settings besides those of every service of the bench. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** The tools of the targets. */
export interface Bench {
  /** Only whether it works: small data and short rounds. */
  readonly isQuick: boolean;
  readonly rounds: number;
  /** How long one measurement takes. */
  readonly seconds: number;
  /** The data of one size, made if it does not exist yet. */
  dataset(database: DatabaseName, size: Size): Promise<Dataset>;
  /** A service on it; every call gets the same one. */
  service(dataset: Dataset): Promise<Served>;
  /** Another service on it; the caller ends it. */
  start(dataset: Dataset, options?: ServeOptions): Promise<Served>;
  /** Ends the service on it, so that another one can start. */
  release(dataset: Dataset): Promise<void>;
  /** Where a benched program may write: removed at the end. */
  folder(name: string): string;
}

export const databases: readonly DatabaseName[] = ["SQLite", "PostgreSQL"];
