import assert from "node:assert/strict";
import { test } from "node:test";
import { openHouse } from "../world/house.ts";
import { startProcess } from "../world/process.ts";

/** The cookies that a browser holds for a host, whatever the port; only their names and paths tell them apart. */
const newJar = () => {
  const held = new Map<string, string>();
  return {
    take(answer: Response): void {
      for (const cookie of answer.headers.getSetCookie()) {
        const [pair = "", ...attributes] = cookie.split("; ");
        const [name = "", value = ""] = pair.split("=");
        const path = attributes.find((one) => one.startsWith("Path="));
        held.set(`${name} ${path}`, `${name}=${value}`);
      }
    },
    header: () => ({ cookie: [...held.values()].join("; ") }),
  };
};

test("two installations on one machine do not end each other's browser sessions", async (t) => {
  const jar = newJar();
  const password = "the quiet harbour at dawn";
  const start = async (login: string) => {
    const { environment } = await openHouse(t);
    const admin = { PARLEY_ADMIN_EMAIL: login, PARLEY_ADMIN_PASSWORD: password };
    const { url } = await startProcess(t, { ...environment, ...admin });
    const post = async (path: string, body: object = {}) => {
      const answer = await fetch(url + path, {
        method: "POST",
        headers: { "content-type": "application/json", ...jar.header() },
        body: JSON.stringify(body),
      });
      jar.take(answer);
      return answer;
    };
    return { post, signIn: () => post("/api/session", { login, password }) };
  };
  const [one, other] = [await start("one@example.org"), await start("other@example.org")];
  for (const { signIn } of [one, other]) assert.equal((await signIn()).status, 200);
  for (const [{ post }, email] of [
    [one, "one@example.org"],
    [other, "other@example.org"],
    [one, "one@example.org"],
  ] as const) {
    const renewed = await post("/api/session/renew");
    assert.equal(renewed.status, 200);
    const { user } = (await renewed.json()) as { readonly user: { readonly email: string } };
    assert.equal(user.email, email);
  }
});
