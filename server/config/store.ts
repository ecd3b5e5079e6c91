import {
  type AcceptedText,
  characters,
  oneOf,
  printableCharacters,
} from "../../contract/kit/accepted.ts";
import { defineOptional, hide, maskUrl, type openReader } from "./setting.ts";

/** An S3-compatible store. */
export interface S3Config {
  /** http or https, without a slash at its end; undefined: Amazon's. */
  readonly endpoint: string | undefined;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** The prefix of all keys: empty, or with a slash at its end. */
  readonly prefix: string;
  /** True if URLs have the bucket in their path, instead of in the host. */
  readonly pathStyle: boolean;
}

const parseEndpoint = (text: string): string | undefined => {
  const url = URL.parse(text);
  if (url === null || !/^https?:\/\/[^/]/i.test(text)) return undefined;
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    return undefined;
  return url.href.replace(/\/+$/, "");
};

/** The region of a bucket for which none is set. */
export const DEFAULT_REGION = "us-east-1";

const bucketCharacters = characters({
  from: 3,
  to: 63,
  of: "lower-case letters, digits, - and .",
  each: /[a-z0-9.-]/,
});
/** The name of a bucket. */
export const bucketName: AcceptedText<string> = {
  accepted: `${bucketCharacters.accepted}, with a letter or digit at both ends`,
  parse: (text) => (/^[.-]|[.-]$/.test(text) ? undefined : bucketCharacters.parse(text)),
};

const prefixCharacters = characters({
  from: 1,
  to: 200,
  of: "letters, digits, -, _, . and /",
  each: /[\w./-]/,
});
/** The prefix of all keys, with one slash at its end. */
export const keyPrefix: AcceptedText<string> = {
  accepted: `${prefixCharacters.accepted}, not beginning with /`,
  parse: (text) =>
    text.startsWith("/") || prefixCharacters.parse(text) === undefined
      ? undefined
      : `${text.replace(/\/+$/, "")}/`,
};

export const storeSettings = {
  s3Bucket: defineOptional({
    name: "S3_BUCKET",
    unset: "none: recordings stay in DATA_DIR/recordings",
    meaning:
      "The bucket of an S3-compatible store to which finished recordings move. With S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.",
    ...bucketName,
  }),
  s3Endpoint: defineOptional({
    name: "S3_ENDPOINT",
    unset: "none: Amazon S3",
    meaning: "The address of the S3-compatible store.",
    accepted: "an http or https URL without user, query and fragment",
    mask: maskUrl,
    parse: parseEndpoint,
  }),
  s3Region: defineOptional({
    name: "S3_REGION",
    unset: DEFAULT_REGION,
    meaning: "The region of the bucket. Most stores besides Amazon's take any.",
    ...characters({ from: 1, to: 64, of: "letters, digits, - and _", each: /[\w-]/ }),
  }),
  s3AccessKeyId: defineOptional({
    name: "S3_ACCESS_KEY_ID",
    unset: "none",
    meaning: "The access key that may list, read, write and delete in the bucket.",
    ...printableCharacters({ from: 1, to: 256 }),
    mask: hide,
  }),
  s3SecretAccessKey: defineOptional({
    name: "S3_SECRET_ACCESS_KEY",
    unset: "none",
    meaning: "The secret of S3_ACCESS_KEY_ID.",
    ...printableCharacters({ from: 1, to: 256 }),
    mask: hide,
  }),
  s3Prefix: defineOptional({
    name: "S3_PREFIX",
    unset: "none: the whole bucket is Parley's",
    meaning: "The prefix of all object keys, such as parley/.",
    ...keyPrefix,
  }),
  s3PathStyle: defineOptional({
    name: "S3_PATH_STYLE",
    unset: "true with S3_ENDPOINT, otherwise false",
    meaning: "Whether the bucket name is in the URL's path (not in the host).",
    ...oneOf(["true", "false"]),
  }),
};

/**
 * Reads the settings of the store of recordings; adds a problem where one needs another.
 *
 * @returns undefined where recordings stay in DATA_DIR
 */
export const readStore = ({
  optional,
  problems,
}: ReturnType<typeof openReader>): S3Config | undefined => {
  const before = problems.length;
  const bucket = optional(storeSettings.s3Bucket);
  const endpoint = optional(storeSettings.s3Endpoint);
  const region = optional(storeSettings.s3Region) ?? DEFAULT_REGION;
  const accessKeyId = optional(storeSettings.s3AccessKeyId);
  const secretAccessKey = optional(storeSettings.s3SecretAccessKey);
  const prefix = optional(storeSettings.s3Prefix) ?? "";
  const pathStyle = optional(storeSettings.s3PathStyle) ?? String(endpoint !== undefined);
  if (problems.length > before) return undefined;
  if (bucket === undefined) {
    if (endpoint !== undefined || accessKeyId !== undefined || secretAccessKey !== undefined) {
      problems.push("S3_BUCKET is not set; the other settings of the store need it.");
    }
    return undefined;
  }
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    problems.push("S3_BUCKET is set; it needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.");
    return undefined;
  }
  return {
    endpoint,
    region,
    bucket,
    accessKeyId,
    secretAccessKey,
    prefix,
    pathStyle: pathStyle === "true",
  };
};
