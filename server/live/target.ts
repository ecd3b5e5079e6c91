/** A live stream's destination. It has the key: never logged, never answered. */
export interface RtmpTarget {
  readonly secure: boolean;
  readonly host: string;
  readonly port: number;
  /** The receiver's application, as `connect` names it. */
  readonly app: string;
  /** The address without the key, as `connect` sends it. */
  readonly url: string;
  /** The name of the stream, which is the key. */
  readonly name: string;
}

const PORTS: Readonly<Record<string, number>> = { "rtmp:": 1935, "rtmps:": 443 };

/**
 * Parses an address and its key. Without a key, the last part of the path is the stream's name.
 *
 * @returns undefined for an address that is not rtmp or rtmps, or names no application
 */
export const parseTarget = (address: string, key: string): RtmpTarget | undefined => {
  const url = URL.parse(address);
  const port = PORTS[url?.protocol ?? ""];
  if (url === null || port === undefined || url.hostname === "") return undefined;
  // The receiver would get them as part of its own address.
  if (url.username !== "" || url.password !== "" || url.hash !== "") return undefined;
  const parts = url.pathname.split("/").filter((part) => part !== "");
  const name = key === "" ? (parts.pop() ?? "") + url.search : key;
  const query = key === "" ? "" : url.search;
  if (parts.length === 0 || name === "") return undefined;
  const app = parts.join("/") + query;
  return {
    secure: url.protocol === "rtmps:",
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: url.port === "" ? port : Number(url.port),
    app,
    name,
    url: `${url.protocol}//${url.host}/${app}`,
  };
};

/** The part of an address that may be shown: path and query may hold a secret. */
export const shownTarget = (address: string): string => {
  const url = URL.parse(address);
  return url === null ? "" : `${url.protocol}//${url.host}`;
};
