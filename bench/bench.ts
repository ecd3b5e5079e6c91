import type { Dataset, Size } from "./dataset.ts";
import type { DatabaseName } from "./target.ts";

/** A running service of the bench. */
export interface Served {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

export interface ServeOptions {
  /** A data folder elsewhere, in place of the dataset's own. */
  readonly dataDir?: string;
  /** Settings besides those of every service of the bench. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** What the targets measure with. */
export interface Bench {
  readonly rounds: number;
  /** How long one value is taken. */
  readonly seconds: number;
  /** The data of one size, made where it is not there yet. */
  dataset(database: DatabaseName, size: Size): Promise<Dataset>;
  /** A service on it, the same one whenever it is asked for. */
  service(dataset: Dataset): Promise<Served>;
  /** Another service on it, ended by whoever asked for it. */
  start(dataset: Dataset, options?: ServeOptions): Promise<Served>;
  /** Ends the service on it, so that another one can start. */
  release(dataset: Dataset): Promise<void>;
  /** Where a benched program may write: removed at the end. */
  folder(name: string): string;
}

export const databases: readonly DatabaseName[] = ["SQLite", "PostgreSQL"];
