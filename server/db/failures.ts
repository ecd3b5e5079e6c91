/** The connection to the database is gone, could not be made, or did not answer in time. */
export class DatabaseUnreachable extends Error {
  override readonly name = "DatabaseUnreachable";
  constructor(cause?: unknown) {
    super("The database cannot be reached.", { cause });
  }
}

/** A database that Parley cannot be run on; the message says why and what is needed. */
export class UnsupportedDatabase extends Error {
  override readonly name = "UnsupportedDatabase";
}

/** A second service was started on the same SQLite file. */
export class ServedAlready extends Error {
  override readonly name = "ServedAlready";
  constructor(dataDir: string) {
    super(
      `Another Parley serves DATA_DIR already (${dataDir}). Stop it first, or give this one a DATA_DIR of its own.`,
    );
  }
}

/** The database carries migrations that this version does not know. */
export class NewerDatabase extends Error {
  override readonly name = "NewerDatabase";
  constructor(unknown: readonly string[]) {
    super(
      `The database was written by a newer Parley: it has ${unknown.join(", ")}, which this version does not know. ` +
        "Start that version, or restore a backup.",
    );
  }
}
