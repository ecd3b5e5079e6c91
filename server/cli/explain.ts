import { dirname } from "node:path";
import {
  DatabaseUnreachable,
  isBusy,
  isDatabaseError,
  isDiskFull,
  settingOf,
} from "../db/errors.ts";
import { saysDiskFull } from "../lib/durable.ts";
import { isOfDataDir } from "./environment.ts";

/**
 * Errors whose message is already a line for the command line. By name: importing their classes
 * would load half of the server for a missing word.
 */
const spoken: ReadonlySet<string> = new Set([
  "BackupError",
  "CommandError",
  "OddService",
  "UsageError",
  "ConfigError",
  "OrganizationError",
  "Refusal",
  "SealError",
  "ServedAlready",
  "NewerDatabase",
  "OldDatabase",
  "UnsupportedDatabase",
]);

type SystemError = NodeJS.ErrnoException & { readonly address?: string; readonly port?: number };

/** The advice if the service cannot listen on an address. */
const listening: Readonly<Record<string, (at: string, port: string) => string>> = {
  EADDRINUSE: (at) => `${at} is taken by another program. Stop it, or set PORT to another port.`,
  EACCES: (at, port) =>
    `${at} may not be listened on by this user. Set PORT to one above 1023, or allow port ${port} to it.`,
  EADDRNOTAVAIL: (at) =>
    `${at} is not an address of this machine. Set HOST to one that is, or to 0.0.0.0 for all of them.`,
};

const forbidden = (other: string): string =>
  `may not be used by this user. Run this as the user that owns it, or ${other}.`;
const noFolder = (ours: boolean): string =>
  `is not a folder. ${ours ? "Set DATA_DIR to a folder" : "Give another path"}.`;

/** The advice for a file or folder that cannot be used; DATA_DIR moves only what is in it. */
const files: Readonly<Record<string, (ours: boolean) => string>> = {
  // Of a folder that was to be made: its parent is there.
  ENOENT: (ours) =>
    `cannot be made: its file system takes no folders. ${ours ? "Set DATA_DIR to a folder on a disk" : "Give a path on a disk"}.`,
  EACCES: (ours) => forbidden(ours ? "set DATA_DIR" : "give another path"),
  EPERM: (ours) => forbidden(ours ? "set DATA_DIR" : "give another path"),
  EROFS: (ours) =>
    `is on a disk that cannot be written to, or not in ReadWritePaths of the systemd unit. ${ours ? "Set DATA_DIR to another folder" : "Give another path"}.`,
  ENOSPC: () => "cannot be written: the disk is full. Make room on it.",
  EDQUOT: () => "cannot be written: this user's share of the disk is used up.",
  ENOTDIR: noFolder,
  EEXIST: noFolder,
};

const FULL =
  "No room is left: the database or disk is full. Make room where this command writes, and in DATA_DIR.";

const explainSystem = (error: SystemError): string | undefined => {
  const { code = "", syscall, address, port, path } = error;
  if (syscall === "listen" || syscall === "bind") {
    const host = address?.includes(":") ? `[${address}]` : (address ?? "");
    return listening[code]?.(`The address ${host}:${port}`, String(port));
  }
  if (syscall === "getaddrinfo") {
    return `The host ${"hostname" in error ? error.hostname : ""} is not known (${code}). Check HOST.`;
  }
  // An error of "write" names no file.
  if (path === undefined) return saysDiskFull(error) ? FULL : undefined;
  const advice = code === "ENOENT" && syscall !== "mkdir" ? undefined : files[code];
  if (advice === undefined) return undefined;
  // The path of a draft is nothing that anybody gave.
  const shown = syscall === "mkdtemp" ? dirname(path) : path;
  return `${shown} ${advice(isOfDataDir(shown, syscall === "mkdir"))}`;
};

/** Why PostgreSQL cannot be reached: the first error of the socket, never the URL. */
const reasonOf = (error: DatabaseUnreachable): string => {
  const { cause } = error;
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause;
  return first instanceof Error && first.message !== "" ? first.message : "no answer";
};

/** The advice for PostgreSQL's conditions that its administrator ends, by their codes. */
const refusals: Readonly<Record<string, string>> = {
  "28000": "Correct its URL, or allow this role and machine in pg_hba.conf.",
  "28P01": "Correct user and password in its URL.",
  "3D000":
    'As an administrator of PostgreSQL run "create database NAME owner ROLE", or correct its URL.',
  "42501":
    'As an administrator of PostgreSQL make the role the owner: "alter database NAME owner to ROLE".',
};

const explainDatabase = (error: Error): string => {
  if (error instanceof DatabaseUnreachable) {
    return `The database cannot be reached (${reasonOf(error)}). Start it, or check DATABASE_URL.`;
  }
  if (isDiskFull(error)) return FULL;
  if (isBusy(error)) return "Another process holds the database. Try again in a moment.";
  const refusal = `The database refuses: ${error.message.replace(/\.$/, "")}.`;
  const advice = refusals["code" in error ? String(error.code) : ""];
  if (advice !== undefined) return `${refusal} ${advice}`;
  return `${refusal} "parley doctor" looks into it; ${settingOf(error)} says which database it is.`;
};

/** One line with what is wrong and the remedy. A fault in Parley shows its stack. */
export const explain = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (spoken.has(error.name)) return error.message;
  if (isDatabaseError(error)) return explainDatabase(error);
  if ("code" in error && error.code === "ERR_MODULE_NOT_FOUND") {
    const [, missing = "of its own"] = /package '([^']+)'/.exec(error.message) ?? [];
    return `A library that Parley needs is missing (${missing}). "npm ci" installs it.`;
  }
  return explainSystem(error) ?? `This should not have happened. ${error.stack ?? error.message}`;
};
