import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Scope } from "./empty-database.ts";

/** Answers a request, once all of it is there: an earlier answer may reset the connection. */
export type HttpAnswer = (request: IncomingMessage, response: ServerResponse) => void;

/** Starts an HTTP server whose answers the test decides. @returns its address, without a path */
export const startAnswering = async (t: Scope, answer: HttpAnswer): Promise<string> => {
  const server = createServer((request, response) => {
    request.resume().once("end", () => answer(request, response));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** An answer of many MiB, one after the other as the client reads them. */
export const endlessAnswer = (most: number) => {
  const piece = Buffer.alloc(1024 * 1024, "[");
  let sent = 0;
  const left = Promise.withResolvers<void>();
  const answer: HttpAnswer = (_request, response) => {
    response.once("close", left.resolve);
    const send = (): void => {
      while (sent < most) {
        sent += 1;
        if (!response.write(piece)) return;
      }
      response.end();
    };
    response.on("drain", send);
    send();
  };
  /** Waits until the client has hung up, and checks that it has not read everything. */
  const assertAbandoned = async (): Promise<void> => {
    await left.promise;
    assert.ok(sent < most, "the whole answer was read");
  };
  return { answer, assertAbandoned };
};
