import assert from "node:assert/strict";
import { test } from "node:test";
import { operations } from "../../contract/index.ts";
import { askAt } from "../world/place.ts";
import { startService } from "../world/service.ts";

/** Secrets, which appear only in the answer or email that is meant to carry them. */
const SECRET = "SENTINEL-7f3a";
const metricsToken = `${SECRET}-metrics-token`;

test("P-OPS-5: no password, token, key, room password or stream key is in logs, metrics or failures", async () => {
  const service = await startService({
    process: true,
    env: { LOG_LEVEL: "trace", METRICS_TOKEN: metricsToken },
  });
  try {
    const anyone = askAt(service, null);
    const token = await service.token();
    const ask = askAt(service, token);
    const failures: string[] = [];
    const secrets = [SECRET, token, service.secretAccessKey, service.admin.password];

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
        const answer = await askAt(service, sent)(`${method} ${address}`, body, { headers });
        if (answer.status >= 400) failures.push(answer.text);
      }
    }
    failures.push((await ask("POST /api/roomSetting", `{"liveStreamKey":"${SECRET}`)).text);
    const { text: metrics } = await askAt(service, metricsToken)("GET /metrics");
    assert.match(metrics, /parley_request_seconds/);
    assert.equal((await ask("GET /metrics")).status, 401);

    const first = service.logs();
    // The block of the first start shows its secrets once, and never through the logger.
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
  } finally {
    await service.stop();
  }
});
