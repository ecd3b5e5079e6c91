import assert from "node:assert/strict";
import { test } from "node:test";
import { operations } from "../../contract/index.ts";
import { askAs } from "../world/ask.ts";
import { openHouse } from "../world/house.ts";
import { startProcess } from "../world/process.ts";

/** Secrets, which may appear only in the answer or email that is meant to contain them. */
const SECRET = "SENTINEL-7f3a";
const metricsToken = `${SECRET}-metrics-token`;
const password = "correct horse battery staple";

test("P-OPS-5: no password, token, key, room password or stream key is in logs, metrics or failures", async (t) => {
  const { environment } = await openHouse(t, {
    environment: {
      LOG_LEVEL: "trace",
      METRICS_TOKEN: metricsToken,
      PARLEY_ADMIN_PASSWORD: password,
    },
  });
  const { url, said } = await startProcess(t, environment);
  const anyone = askAs(url, undefined);
  // From the block that the first start prints once.
  const [accessKey = ""] = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}-\d+-\d+/.exec(said()) ?? [];
  const [secretAccessKey = ""] = /\b[0-9a-f]{64}\b/.exec(said()) ?? [];
  const exchanged = await anyone("POST /api/siteSetting/getAuthToken", {
    accessKey,
    secretAccessKey,
  });
  const { token } = exchanged.body.authToken;
  const ask = askAs(url, token);
  const failures: string[] = [];
  const secrets = [SECRET, token, secretAccessKey, password];

  const person = await ask("POST /api/user/orgUser", {
    name: "Ann",
    email: "ann@example.org",
    loginUrl: "https://meet.example.org/",
  });
  secrets.push(person.body.password);
  const { id } = person.body.user;
  const reset = await ask("POST /api/user/adminPwdreset", { userId: id });
  secrets.push(reset.body.password);
  const session = await anyone("POST /api/session", {
    login: "ann@example.org",
    password: reset.body.password,
  });
  secrets.push(session.body.token, session.headers.getSetCookie()[0]?.split(/[=;]/)[1] ?? "");
  const room = {
    name: "Board",
    roomOwnerId: id,
    roomPassword: `${SECRET}-room`,
    liveStreamKey: `${SECRET}-stream`,
  };
  assert.equal((await ask("POST /api/roomSetting", room)).status, 201);

  // And in failures.
  for (const { method, path } of Object.values(operations)) {
    const address = path.replace(":id", `${SECRET}-id`);
    const body =
      method === "GET" || method === "DELETE"
        ? undefined
        : {
            password: SECRET,
            login: SECRET,
            secretAccessKey: SECRET,
            accessKey: 5,
            room: [SECRET],
          };
    const headers = { cookie: `parley_renewal=${SECRET}` };
    for (const sent of [token, `${SECRET}.${SECRET}`]) {
      // It would end the token that the other requests use.
      if (sent === token && path === operations.signOut.path && method === "DELETE") continue;
      const answer = await askAs(url, sent)(`${method} ${address}`, body, headers);
      if (answer.status >= 400) failures.push(answer.text);
    }
  }
  failures.push((await ask("POST /api/roomSetting", `{"liveStreamKey":"${SECRET}`)).text);
  const { text: metrics } = await askAs(url, metricsToken)("GET /metrics");
  assert.match(metrics, /parley_request_seconds/);
  assert.equal((await ask("GET /metrics")).status, 401);

  const first = said();
  // The start's printed block shows its secrets once, and never through the logger.
  const lines = first.split("\n").filter((line) => line.startsWith("{"));
  assert.ok(lines.length > 40, `${lines.length} lines`);
  for (const secret of secrets) {
    assert.ok(secret.length > 8);
    for (const [where, text] of [
      ["log", lines.join("\n")],
      ["metrics", metrics],
      ["failures", failures.join("\n")],
    ] as const) {
      assert.ok(!text.includes(secret), `a secret is in the ${where}: ${secret.slice(0, 13)}`);
    }
  }
  for (const line of lines) assert.doesNotThrow(() => JSON.parse(line), "one JSON value a line");
});
