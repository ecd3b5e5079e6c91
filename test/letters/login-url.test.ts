// Runs: sqlite

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { create, newPerson } from "../users/people.ts";
import { assertFails, fieldFailure } from "../world/refusals.ts";
import { startSink } from "../world/sink.ts";
import { startWorld } from "../world/world.ts";
import { letterTo, linksOf } from "./mailbox.ts";

const sink = await startSink();
after(() => sink.stop());
const { organization } = await startWorld(test, { environment: { SMTP_URL: sink.url } });
const { ask } = await organization("Addresses of sign-in");

const message = "loginUrl must be an absolute http or https URL without user name and password";

const refused = [
  ..."javascript:alert(1)|JAVASCRIPT://x/%0aalert(1)|data:text/html,x|ftp://e.org/|file:///etc".split(
    "|",
  ),
  "java\tscript:alert(1)",
  "//example.org/",
  "/login",
  "example.org",
  "https://",
  "https:///",
  "http:e.org",
  ...[
    "https:\\\\e.org",
    "https://e.org\\@evil.org",
    "https://user@e.org/",
    "https://a:b@e.org/",
    "https://@",
  ],
  ...[
    "https://e.org/\r\nBcc: x@y.org",
    "https://e.org/\u0000",
    "https://e.org/\ta",
    " https://e.org/",
  ],
  ...[
    "https://e.org/ ",
    "https://e.org/a b\n",
    "https://e .org/",
    "https://e.org:99999/",
    "https://[::1",
  ],
  ...[
    "https://e.org/\u2028",
    "https://e.org/\u0085",
    "https://ex%00ample.org/",
    "vbscript:x",
    "blob:https://e.org/",
  ],
];

test("only an absolute http or https address with a host and no credentials is accepted", async (t) => {
  const { id } = await create(ask);
  for (const loginUrl of refused) {
    await t.test(JSON.stringify(loginUrl), async () => {
      const requests = [
        ask("POST /api/user/orgUser", newPerson({ loginUrl })),
        ask("POST /api/user/adminPwdreset", { userId: id, loginUrl }),
      ];
      for (const answer of await Promise.all(requests)) {
        assert.equal(answer.status, 400);
        assert.equal(answer.body.errors[0].field, "loginUrl");
      }
    });
  }
  const asked = ask("POST /api/user/orgUser", newPerson({ loginUrl: "ftp://e.org/" }));
  await assertFails(asked, 400, fieldFailure("loginUrl", message));
});

const accepted: readonly (readonly [string, string])[] = [
  ["https://e.org", "https://e.org/"],
  ["HTTP://E.ORG:80/A/../b", "http://e.org/b"],
  ["https://bücher.example/ü?q=ä", "https://xn--bcher-kva.example/%C3%BC?q=%C3%A4"],
  ["http://localhost:3000/login#top", "http://localhost:3000/login#top"],
  ["http://[::1]:8080/", "http://[::1]:8080/"],
  [
    "https://e.org/?a=\"><script>alert(1)</script>&b='",
    "https://e.org/?a=%22%3E%3Cscript%3Ealert(1)%3C/script%3E&b=%27",
  ],
  [`https://e.org/{{7*7}}$${"{1}"}`, "https://e.org/%7B%7B7*7%7D%7D$%7B1%7D"],
];

test("an accepted address is mailed as the URL parser writes it, in both parts", async (t) => {
  for (const [loginUrl, href] of accepted) {
    await t.test(loginUrl, async () => {
      const { email } = await create(ask, { loginUrl });
      const letter = await letterTo(sink, email);
      assert.deepEqual(new Set(linksOf(letter)), new Set([href]));
      assert.ok(letter.parsed.text?.split("\n").includes(`Sign in: ${href}`));
    });
  }
});

test("the service itself never fetches it", async () => {
  let hits = 0;
  const listener = createServer((_request, response) => {
    hits += 1;
    response.end();
  }).listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo;
  const { email } = await create(ask, { loginUrl: `http://127.0.0.1:${port}/login` });
  await letterTo(sink, email);
  listener.close();
  assert.equal(hits, 0);
});
