import { isCertificate } from "../lib/no-answer.ts";

/**
 * The connection to the database is gone, could not be made, or did not answer in time; or a change was
 * rolled back with another one, whose error is the cause.
 */
export class DatabaseUnreachable extends Error {
  override readonly name = "DatabaseUnreachable";
  constructor(cause?: unknown) {
    super("The database cannot be reached.", { cause });
  }
}

/**
 * Too much was asked at once: a request did not get its turn in time, although the database answers. It may
 * be tried again.
 */
export class TurnMissed extends Error {
  override readonly name = "TurnMissed";
  constructor(cause?: unknown) {
    super("Too much is asked of the service at once.", { cause });
  }
}

/** A database that Parley cannot use; the message says why, and what it needs. */
export class UnsupportedDatabase extends Error {
  override readonly name = "UnsupportedDatabase";
}

/** A second service was started on the same SQLite file. */
export class ServedAlready extends Error {
  override readonly name = "ServedAlready";
  constructor(dataDir: string) {
    super(
      `Another Parley serves ${dataDir} already. Stop it first, or choose another folder with DATA_DIR.`,
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

/** The problem of a development database that lacks its last changes (decision 0068), with the advice. */
export const oldDatabase = [
  "The database is of a development version that this version does not bring up to date.",
  'Run "parley migrate" of commit 26a71b22 on it first.',
] as const;

export class OldDatabase extends Error {
  override readonly name = "OldDatabase";
  constructor() {
    super(oldDatabase.join(" "));
  }
}

/** The reason why a backup, a restore or a copy is not possible. The message is for the operator. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}

/** One of the two databases of a copy could not be opened; the cause says why. */
export class CopySideError extends Error {
  override readonly name = "CopySideError";
  readonly side: "source" | "target";
  constructor(side: "source" | "target", cause: unknown) {
    super(`The ${side} of the copy cannot be opened.`, { cause });
    this.side = side;
  }
}

/** A backup is broken itself. Other errors say nothing about it, such as a missing key or a full disk. */
export class DamagedBackup extends BackupError {}

interface SqliteError extends Error {
  readonly errcode: number;
  readonly errstr: string;
}

interface PostgresError extends Error {
  readonly code: string;
  readonly constraint?: string;
}

/** SQLite's result codes; an extended code carries one of them in its low byte. */
const sqlite = {
  error: 1,
  busy: 5,
  readonly: 8,
  ioerr: 10,
  corrupt: 11,
  full: 13,
  cantopen: 14,
  protocol: 15,
  notadb: 26,
  ioerrFsync: 1034,
  ioerrDirFsync: 1290,
} as const;

const { busy, readonly, ioerr, corrupt, full, cantopen, protocol, notadb } = sqlite;
const sqliteUnavailable = [busy, readonly, ioerr, corrupt, full, cantopen, protocol, notadb];

/**
 * PostgreSQL's conditions that pass, or that the operator must fix: the request did not cause them.
 * With their names from appendix A of its manual, because its errors carry only the codes.
 */
const postgresUnavailable: Readonly<Record<string, string>> = {
  "08000": "connection_exception",
  "08001": "sqlclient_unable_to_establish_sqlconnection",
  "08003": "connection_does_not_exist",
  "08004": "sqlserver_rejected_establishment_of_sqlconnection",
  "08006": "connection_failure",
  "08007": "transaction_resolution_unknown",
  "25006": "read_only_sql_transaction",
  "25P03": "idle_in_transaction_session_timeout",
  "28000": "invalid_authorization_specification",
  "28P01": "invalid_password",
  "3D000": "invalid_catalog_name",
  "40001": "serialization_failure",
  "40P01": "deadlock_detected",
  "53000": "insufficient_resources",
  "53100": "disk_full",
  "53200": "out_of_memory",
  "53300": "too_many_connections",
  "53400": "configuration_limit_exceeded",
  "55P03": "lock_not_available",
  "57014": "query_canceled",
  "57P01": "admin_shutdown",
  "57P02": "crash_shutdown",
  "57P03": "cannot_connect_now",
  "57P04": "database_dropped",
  "57P05": "idle_session_timeout",
  "58000": "system_error",
  "58030": "io_error",
  "58P01": "undefined_file",
  "58P02": "duplicate_file",
  XX001: "data_corrupted",
  XX002: "index_corrupted",
};

const isSqliteError = (error: unknown): error is SqliteError =>
  error instanceof Error && "errcode" in error && "errstr" in error;

// By its shape, not its class: a service on SQLite never loads `pg`.
const isPostgresError = (error: unknown): error is PostgresError =>
  error instanceof Error &&
  "severity" in error &&
  "code" in error &&
  typeof error.code === "string" &&
  /^[0-9A-Z]{5}$/.test(error.code);

/** Returns whether the database (and not Parley's code) reported this. */
export const isDatabaseError = (error: unknown): boolean =>
  isSqliteError(error) ||
  isPostgresError(error) ||
  error instanceof DatabaseUnreachable ||
  error instanceof TurnMissed ||
  error instanceof UnsupportedDatabase;

/** The setting that says which database reported an error. */
export const settingOf = (error: Error): "DATA_DIR" | "DATABASE_URL" =>
  isSqliteError(error) ? "DATA_DIR" : "DATABASE_URL";

/**
 * Returns whether the database is away, frozen, full, read-only, busy, damaged or out of connections. HTTP
 * answers 503, and a retry may succeed.
 */
export const isUnavailable = (error: unknown): boolean => {
  if (error instanceof DatabaseUnreachable || error instanceof TurnMissed) return true;
  // A running service waits for the operator to change it back.
  if (error instanceof UnsupportedDatabase) return true;
  if (isSqliteError(error)) return sqliteUnavailable.some((code) => code === lowByte(error));
  return isPostgresError(error) && error.code in postgresUnavailable;
};

/**
 * PostgreSQL's conditions of a request that waited too long for others, or was ended in favor of them:
 * serialization_failure, deadlock_detected, lock_not_available, query_canceled.
 */
const postgresBusy: ReadonlySet<string> = new Set(["40001", "40P01", "55P03", "57014"]);

/** Returns whether the database works, and only too much was asked of it. `isUnavailable` then says so too. */
export const isOverload = (error: unknown): boolean => {
  if (error instanceof TurnMissed) return true;
  if (isPostgresError(error)) return postgresBusy.has(error.code);
  // Rolled back with another change, which the database has refused.
  return error instanceof DatabaseUnreachable && isPostgresError(error.cause);
};

/** The explanation of an error of the database for a caller, by its code. */
export const whyUnavailable = (error: unknown): "overloaded" | "unavailable" =>
  isOverload(error) ? "overloaded" : "unavailable";

/** Returns whether PostgreSQL, or the limit of the role or database, allows no more connections. */
export const isOutOfConnections = (error: unknown): boolean =>
  isPostgresError(error) && error.code === "53300";

/** Returns whether a connection to PostgreSQL cannot be used after this error. */
export const losesConnection = (error: unknown): boolean =>
  !isPostgresError(error) || /^(08...|57P..|25P03)$/.test(error.code);

/**
 * Returns whether a connection has lost the statements that it had prepared, or has those of another one
 * (invalid_sql_statement_name, duplicate_prepared_statement): a pooler has put another connection to
 * PostgreSQL behind it.
 */
export const isForeignStatement = (error: unknown): boolean =>
  isPostgresError(error) && (error.code === "26000" || error.code === "42P05");

/** Returns whether a query failed only because one before it in its transaction had failed (PostgreSQL). */
export const isBehindFailure = (error: unknown): boolean =>
  isPostgresError(error) && error.code === "25P02";

const lowByte = ({ errcode }: SqliteError): number => errcode & 0xff;

/** Returns whether another process holds the database now (SQLite). */
export const isBusy = (error: unknown): boolean => isSqliteError(error) && lowByte(error) === busy;

/** Returns whether the disk has no room for the database (SQLite). */
export const isDiskFull = (error: unknown): boolean =>
  isSqliteError(error) && lowByte(error) === full;

/** Returns whether the file of the database is damaged (SQLite): the service is then not ready. */
export const isDamage = (error: unknown): boolean =>
  isSqliteError(error) && (lowByte(error) === corrupt || lowByte(error) === notadb);

/** Returns whether a file is not a SQLite database. */
export const isNoDatabase = (error: unknown): boolean =>
  isSqliteError(error) && lowByte(error) === notadb;

/**
 * Returns whether the disk failed to make a commit durable. The content of the disk is then unknown, and the
 * process must not write any more.
 */
export const isIoFailure = (error: unknown): boolean => {
  if (isSqliteError(error)) {
    return error.errcode === sqlite.ioerrFsync || error.errcode === sqlite.ioerrDirFsync;
  }
  return isPostgresError(error) && error.code === "58030";
};

/**
 * Returns whether PostgreSQL refuses this DATABASE_URL (invalid authorization, no such database, no TLS), has a
 * certificate that is not accepted, or is one that Parley cannot use. A running service waits for it to
 * work again; a start reports it.
 */
export const isRefusedAccess = (error: unknown): boolean =>
  isPostgresError(error)
    ? /^(28|3D)/.test(error.code)
    : error instanceof UnsupportedDatabase ||
      (error instanceof DatabaseUnreachable && isRefusedTls(error.cause));

const isRefusedTls = (error: unknown): boolean =>
  error instanceof Error &&
  (("code" in error && isCertificate(String(error.code))) ||
    // The driver's words; they have no code.
    error.message === "The server does not support SSL connections");

/**
 * Returns whether a row was refused because another one has the same values in exactly these columns. Works on
 * both databases because every unique index is named `TABLE_COLUMN_COLUMN_unique`.
 */
export const isUniqueViolation = (
  error: unknown,
  table: string,
  ...columns: readonly string[]
): boolean => {
  if (isPostgresError(error)) return error.constraint === uniqueName(table, columns);
  if (!isSqliteError(error)) return false;
  const violated = columns.map((column) => `${table}.${column}`).join(", ");
  return error.message === `UNIQUE constraint failed: ${violated}`;
};

/** The name of the unique index over these columns. */
export const uniqueName = (table: string, columns: readonly string[]): string =>
  [table, ...columns, "unique"].join("_");

/** Returns whether the table does not exist: the migrations have not run. */
export const isMissingTable = (error: unknown): boolean => {
  if (isSqliteError(error))
    return error.errcode === sqlite.error && error.message.startsWith("no such table");
  return isPostgresError(error) && error.code === "42P01";
};

/** Only the condition's name, for an answer: no SQL, no host, no user. */
export const conditionOf = (error: unknown): string => {
  if (isSqliteError(error)) return error.errstr;
  if (isPostgresError(error)) return postgresUnavailable[error.code] ?? `sqlstate_${error.code}`;
  if (error instanceof UnsupportedDatabase) return "database unsupported";
  if (error instanceof TurnMissed) return "database busy";
  return error instanceof DatabaseUnreachable ? "database unreachable" : "database error";
};
