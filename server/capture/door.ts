import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { fallbackLanguage, type Language } from "../../contract/kit/languages.ts";
import type { FromCapture } from "../../contract/meetings/capture-socket.ts";
import type { ServedSocket } from "../lib/upgrade.ts";

/*
 * The hidden browsers' way in: a server on loopback with their page, the meeting sockets as served
 * to everybody, and a socket on which a page sends a one-use code and gets its orders.
 */

/** A one-use admission. */
export interface ExpectedCapture {
  /** The address of the page, with the code. */
  readonly url: string;
  /** Resolves with its socket. */
  readonly socket: Promise<WebSocket>;
  /** Invalidates the code. */
  forget(): void;
}

export interface CaptureDoor {
  /** @param language that of the words in the picture */
  expect(language?: Language): ExpectedCapture;
  stop(): Promise<void>;
}

const PATH = "/capture/socket";
/** A second of the largest recording is about two megabytes. */
const LARGEST_MESSAGE = 32 * 1024 * 1024;
/** The time for sending the code. */
const HELLO_MS = 10_000;

/** The page loads only its own files, and talks only to this server. */
const POLICY = [
  "default-src 'self'",
  "media-src 'self' blob: mediastream:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const types: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  woff2: "font/woff2",
};

const helloOf = (data: unknown): string | undefined => {
  try {
    const message = JSON.parse(String(data)) as FromCapture;
    return message.type === "hello" ? message.code : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Opens the door on a free port of loopback.
 *
 * @param pages the folder of the built console
 * @param entrances the meeting sockets
 */
export const openDoor = async (
  pages: string,
  entrances: readonly ServedSocket[],
): Promise<CaptureDoor> => {
  const expected = new Map<string, (socket: WebSocket) => void>();
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: LARGEST_MESSAGE,
  });
  let host = "";

  /**
   * A host name that resolves to this machine is not enough: a foreign page could have one (DNS
   * rebinding).
   */
  const isOwnHost = ({ headers }: IncomingMessage): boolean => headers.host === host;

  const fileOf = async (
    path: string,
  ): Promise<{ readonly name: string; readonly bytes: Buffer }> => {
    const name = path === "/" ? "capture.html" : (/^\/(assets\/[\w.-]+)$/.exec(path)?.[1] ?? "");
    if (name === "") throw new Error("There is no such file.");
    return { name, bytes: await readFile(join(pages, name)) };
  };

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? "/", `http://${host}`);
    const validate = entrances.find(({ path }) => pathname === `${path}/validate`)?.validate;
    if (!isOwnHost(request) || request.method !== "GET") return void response.writeHead(403).end();
    if (validate) {
      response.writeHead(await validate(searchParams.get("access_token") ?? "")).end();
      return;
    }
    const { name, bytes } = await fileOf(pathname);
    response
      .writeHead(200, {
        "content-type": types[name.split(".").at(-1) ?? ""] ?? "application/octet-stream",
        "content-security-policy": POLICY,
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
      })
      .end(bytes);
  };

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(404).end());
  });

  const greet = (socket: WebSocket): void => {
    const late = setTimeout(() => socket.terminate(), HELLO_MS);
    socket.on("error", () => {});
    socket.once("close", () => clearTimeout(late));
    socket.once("message", (data) => {
      clearTimeout(late);
      const code = helloOf(data) ?? "";
      const take = expected.get(code);
      expected.delete(code);
      if (take) take(socket);
      else socket.terminate();
    });
  };

  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => socket.destroy());
    const path = (request.url ?? "").split("?", 1)[0];
    const entrance = entrances.find((one) => one.path === path);
    // Browsers send Origin with every WebSocket (RFC 6455, 10.2), so other pages cannot come in.
    const isOwn = isOwnHost(request) && request.headers.origin === `http://${host}`;
    if (!isOwn) socket.end("HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n");
    else if (path === PATH) sockets.handleUpgrade(request, socket, head, greet);
    else if (entrance) entrance.handle(request, socket, head, () => {});
    else socket.end("HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n");
  });

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    expect(language = fallbackLanguage) {
      const code = randomBytes(32).toString("base64url");
      const { promise, resolve } = Promise.withResolvers<WebSocket>();
      expected.set(code, resolve);
      return {
        url: `http://${host}/?lang=${language}#${code}`,
        socket: promise,
        forget: () => void expected.delete(code),
      };
    },
    async stop() {
      for (const socket of sockets.clients) socket.terminate();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
};
