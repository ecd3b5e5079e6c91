import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Scope } from "../world/empty-database.ts";
import type { World } from "../world/world.ts";
import { newBrowser, outcomeOf } from "./browser.ts";

/* A provider that accepts every code, and plays tricks. */

/** The changes that the hostile provider makes. */
export interface Tricks {
  /** Changes the claims of an ID token. */
  readonly claims?: (claims: Record<string, unknown>) => Record<string, unknown>;
  /** Signs otherwise. */
  readonly header?: Record<string, unknown>;
  readonly key?: KeyObject;
  readonly unsigned?: boolean;
  /** Changes the answer that comes back with the browser. */
  readonly back?: ((query: URLSearchParams) => void) | undefined;
  /** Changes the discovery document. */
  readonly document?: Record<string, unknown>;
  /** Publishes user info. */
  readonly userInfo?: object;
  /** Answers the token endpoint with a redirect to this address. */
  readonly moved?: string;
  /** What the provider does before it redeems a code. */
  readonly before?: () => Promise<unknown>;
}

const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
/** A key that is none of the provider. */
export const stranger = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;

const encode = (value: unknown): string =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

/** Signs a JWT. */
export const jwt = (
  claims: object,
  { header = {}, key = privateKey, unsigned }: Tricks = {},
): string => {
  const body = `${encode({ alg: "ES256", kid: "k", ...header })}.${encode(claims)}`;
  if (unsigned) return `${body}.`;
  return `${body}.${sign("sha256", Buffer.from(body), { key, dsaEncoding: "ieee-p1363" }).toString("base64url")}`;
};

/** The current time, as tokens have it. */
export const seconds = (): number => Math.floor(Date.now() / 1000);

/** A provider that accepts every code, and plays tricks. */
export const startHostile = async (t: Scope, domain: string) => {
  const asked: URLSearchParams[] = [];
  const redeemed: string[] = [];
  let keysRead = 0;
  let tricks: Tricks = {};
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "", issuer);
    const json = (value: unknown): void => {
      response.setHeader("content-type", "application/json").end(JSON.stringify(value));
    };
    const body = (await request.toArray()).join("");
    if (url.pathname.startsWith("/.well-known/")) {
      return json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        id_token_signing_alg_values_supported: ["ES256", "none", "HS256"],
        ...(tricks.userInfo && { userinfo_endpoint: `${issuer}/me` }),
        ...tricks.document,
      });
    }
    if (url.pathname === "/me") return json(tricks.userInfo);
    if (url.pathname === "/keys") {
      keysRead += 1;
      return json({ keys: [{ ...publicKey.export({ format: "jwk" }), kid: "k", alg: "ES256" }] });
    }
    if (url.pathname === "/authorize") {
      asked.push(url.searchParams);
      const back = new URL(url.searchParams.get("redirect_uri") ?? "");
      back.searchParams.set("code", String(asked.length - 1));
      back.searchParams.set("state", url.searchParams.get("state") ?? "");
      back.searchParams.set("iss", issuer);
      tricks.back?.(back.searchParams);
      return response.writeHead(302, { location: back.href }).end();
    }
    if (url.pathname === "/token") {
      if (tricks.moved !== undefined) {
        return response.writeHead(307, { location: tricks.moved }).end();
      }
      redeemed.push(body);
      await tricks.before?.();
      const claims = {
        iss: issuer,
        aud: "parley",
        sub: "somebody",
        iat: seconds(),
        exp: seconds() + 300,
        nonce: asked[Number(new URLSearchParams(body).get("code"))]?.get("nonce"),
        email: `somebody@${domain}`,
        email_verified: true,
      };
      return json({
        access_token: "a",
        token_type: "Bearer",
        id_token: jwt(tricks.claims?.(claims) ?? claims, tricks),
      });
    }
    return response.writeHead(404).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    asked,
    redeemed,
    keysRead: () => keysRead,
    play: (next: Tricks) => {
      tricks = next;
    },
  };
};

/** The claims of a logout token about everything of `somebody`. */
export const logoutClaims = (issuer: string, more: object = {}) => ({
  iss: issuer,
  aud: "parley",
  iat: seconds(),
  exp: seconds() + 120,
  jti: Math.random().toString(36),
  events: { "http://schemas.openid.net/event/backchannel-logout": {} },
  sub: "somebody",
  ...more,
});

/** Posts a logout token. @returns the status of the answer */
export const postLogout = async (start: string, token: string): Promise<number> =>
  (
    await fetch(`${start}/logout`, {
      method: "POST",
      body: new URLSearchParams({ logout_token: token }),
    })
  ).status;

/** An organization of this service that has a hostile provider. */
export const openHostile = async (
  t: Scope,
  { tenant: newTenant, url }: World,
  more: object = {},
) => {
  const tenant = await newTenant();
  // Email addresses are unique across the service.
  const domain = `d${tenant.id}.example`;
  const hostile = await startHostile(t, domain);
  const made = await tenant.ask("createProvider", {
    name: "Hostile",
    issuer: hostile.issuer,
    clientId: "parley",
    clientSecret: "secret",
    domains: [domain],
    createsAccounts: true,
    ...more,
  });
  const { id } = made.body.provider;
  const start = `${url}/api/session/provider/${id}`;
  const enter = async (tricks: Tricks, browser = newBrowser()) => {
    hostile.play(tricks);
    return outcomeOf(await browser.open(start));
  };
  return { ...hostile, tenant, id, start, enter, domain };
};
