import { type AcceptedText, printableCharacters } from "../../contract/kit/accepted.ts";
import { defineOptional, hide, type openReader } from "./setting.ts";
import { bucketName, DEFAULT_REGION, keyPrefix, type S3Config, storeSettings } from "./store.ts";
import { parsePath } from "./values.ts";

/** Where backups are kept: a folder of this machine, or a part of a bucket. */
export type BackupTarget =
  | { readonly folder: string }
  | { readonly bucket: string; readonly prefix: string };

/** How buckets for backups are reached; undefined: there is no key. */
export type BackupAccess = Omit<S3Config, "bucket" | "prefix">;

export interface BackupConfig {
  readonly to: BackupTarget | undefined;
  readonly access: BackupAccess | undefined;
}

const parseTarget = (text: string): BackupTarget | undefined => {
  // Also s3:/backups, which would be a folder of this name.
  if (!/^[a-z][a-z0-9+.-]+:/i.test(text)) {
    const folder = parsePath(text);
    return folder === undefined ? undefined : { folder };
  }
  const [, name = "", rest = ""] = /^s3:\/\/([^/]*)\/?(.*)$/.exec(text) ?? [];
  const bucket = bucketName.parse(name);
  const prefix = rest === "" ? "" : keyPrefix.parse(rest);
  return bucket === undefined || prefix === undefined ? undefined : { bucket, prefix };
};

/** A place for backups, as a setting and as an option. */
export const backupTarget: AcceptedText<BackupTarget> = {
  accepted: "the path of a folder, or a bucket such as s3://backups/parley",
  parse: parseTarget,
};

export const backupSettings = {
  backupTo: defineOptional({
    name: "BACKUP_TO",
    unset: "none: parley backup needs FILE or --to",
    meaning: "Where parley backup keeps backups, and where parley doctor looks for them.",
    ...backupTarget,
  }),
  backupS3Endpoint: defineOptional({
    ...storeSettings.s3Endpoint,
    name: "BACKUP_S3_ENDPOINT",
    unset: "S3_ENDPOINT",
    meaning: "The address of the S3-compatible store of backups.",
  }),
  backupS3Region: defineOptional({
    ...storeSettings.s3Region,
    name: "BACKUP_S3_REGION",
    unset: "S3_REGION",
    meaning: "The region of the bucket of backups.",
  }),
  backupS3AccessKeyId: defineOptional({
    name: "BACKUP_S3_ACCESS_KEY_ID",
    unset: "S3_ACCESS_KEY_ID",
    meaning: "The access key that may list, read, write and delete backups in their bucket.",
    ...printableCharacters({ from: 1, to: 256 }),
    mask: hide,
  }),
  backupS3SecretAccessKey: defineOptional({
    name: "BACKUP_S3_SECRET_ACCESS_KEY",
    unset: "S3_SECRET_ACCESS_KEY",
    meaning: "The secret of BACKUP_S3_ACCESS_KEY_ID.",
    ...printableCharacters({ from: 1, to: 256 }),
    mask: hide,
  }),
};

/** Reads the settings of backups; what they do not say is as in the store of recordings. */
export const readBackup = (
  { optional, problems }: ReturnType<typeof openReader>,
  recordings: S3Config | undefined,
): BackupConfig => {
  const to = optional(backupSettings.backupTo);
  const endpoint = optional(backupSettings.backupS3Endpoint) ?? recordings?.endpoint;
  const region = optional(backupSettings.backupS3Region) ?? recordings?.region ?? DEFAULT_REGION;
  const own = optional(backupSettings.backupS3AccessKeyId);
  const ownSecret = optional(backupSettings.backupS3SecretAccessKey);
  if ((own === undefined) !== (ownSecret === undefined)) {
    problems.push("BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY need each other.");
  }
  const accessKeyId = own ?? recordings?.accessKeyId;
  const secretAccessKey = ownSecret ?? recordings?.secretAccessKey;
  if (accessKeyId === undefined || secretAccessKey === undefined) return { to, access: undefined };
  const style = optional(storeSettings.s3PathStyle) ?? String(endpoint !== undefined);
  const pathStyle = style === "true";
  return { to, access: { endpoint, region, accessKeyId, secretAccessKey, pathStyle } };
};
