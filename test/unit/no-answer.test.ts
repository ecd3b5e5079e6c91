import assert from "node:assert/strict";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Server } from "node:net";
import { type TestContext, test } from "node:test";
import { createServer as createTls } from "node:tls";
import { noAnswer } from "../../server/lib/no-answer.ts";
import { openCertificates, withoutOpenssl } from "../world/certificates.ts";
import { freePort } from "../world/free-port.ts";

const portOf = async (t: TestContext, server: Server): Promise<number> => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  return (server.address() as AddressInfo).port;
};

/** The report about a server from which `fetch` got no answer. */
const saidOf = (url: string): Promise<string> =>
  fetch(url).then(() => assert.fail("It answers."), noAnswer);

test("reports about a server without a proper answer are true", {
  skip: withoutOpenssl,
}, async (t) => {
  const files = (await openCertificates(t)).make("stranger");
  const tls = { cert: await readFile(files.cert), key: await readFile(files.key) };
  const secure = await portOf(t, createTls(tls));
  const plain = await portOf(
    t,
    createServer((socket) => socket.on("error", () => {}).end("220 smtp.example.org\r\n")),
  );
  const closing = await portOf(
    t,
    createServer((socket) => socket.destroy()),
  );
  const said = {
    [`https://127.0.0.1:${secure}`]:
      /^The certificate of the other side is not accepted \(\w+\)\.$/,
    [`https://127.0.0.1:${plain}`]: /^No encrypted connection came about \(\w+\)\.$/,
    [`http://127.0.0.1:${plain}`]: /^What answers does not speak HTTP \(\w+\)\.$/,
    [`http://127.0.0.1:${closing}`]: /^The connection was closed \(\w+\)\.$/,
    [`http://127.0.0.1:${await freePort()}`]:
      /^Nothing answers at this address \(ECONNREFUSED\)\.$/,
    "http://no.such.name.invalid": /^The name cannot be resolved \(\w+\)\.$/,
  };
  for (const [url, words] of Object.entries(said)) assert.match(await saidOf(url), words);
  assert.equal(noAnswer(new Error("fetch failed")), "There was no answer.");
});
