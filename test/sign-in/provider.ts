import { generateKeyPairSync, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Scope } from "../world/empty-database.ts";

/** A real provider's claims about one of its people. */
export type Account = Readonly<Record<string, unknown>>;

interface Interaction {
  readonly prompt: { readonly name: string };
}
interface Grant {
  addOIDCScope(scope: string): void;
  addOIDCClaims(claims: readonly string[]): void;
  save(): Promise<string>;
}
/** The parts of oidc-provider that the tests use; it has no types of its own. */
interface OidcProvider {
  readonly issuer: string;
  callback(): (request: IncomingMessage, response: ServerResponse) => void;
  interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
  interactionFinished(
    request: IncomingMessage,
    response: ServerResponse,
    result: object,
    options: object,
  ): Promise<void>;
  readonly Grant: new (of: object) => Grant;
}
type Class = new (issuer: string, configuration: object) => OidcProvider;

/** A real provider of OpenID Connect on this machine. */
export interface RealProvider {
  readonly issuer: string;
  /** The account that signs in next. */
  who: string;
  /** The provider's accounts, by subject. */
  readonly accounts: Map<string, Account>;
  /** Signs with a new key from now on, and forgets the one before. */
  rotateKeys(): void;
  /** Lets Parley's addresses be used. */
  register(redirect: string, more?: object): void;
}

export const CLIENT = { client_id: "parley", client_secret: "a secret of the client, long enough" };

const newKey = () => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return { ...privateKey.export({ format: "jwk" }), alg: "ES256", use: "sig", kid: randomUUID() };
};

const claims = ["email", "email_verified", "name", "groups", "department", "labels"];

/** Starts a real provider on a free port of the loopback address; it stops with the test. */
export const startProvider = async (t: Scope): Promise<RealProvider> => {
  const { Provider } = (await import("oidc-provider" as string)) as { readonly Provider: Class };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const accounts = new Map<string, Account>();
  let keys = [newKey()];
  let client: object = { ...CLIENT, redirect_uris: [`${issuer}/nowhere`] };
  let current: OidcProvider;
  const build = (): void => {
    current = new Provider(issuer, {
      clients: [{ id_token_signed_response_alg: "ES256", ...client }],
      jwks: { keys },
      cookies: { keys: ["only for tests"] },
      claims: { openid: ["sub"], profile: claims.slice(2), email: claims.slice(0, 2) },
      conformIdTokenClaims: false,
      findAccount: (_: unknown, sub: string) => ({
        accountId: sub,
        claims: async () => ({ ...accounts.get(sub), sub }),
      }),
      features: {
        devInteractions: { enabled: false },
        rpInitiatedLogout: { enabled: true },
        backchannelLogout: { enabled: true },
      },
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      loadExistingGrant: async (context: {
        readonly oidc: { client: { clientId: string }; session: { accountId: string } };
      }) => {
        const { client: asking, session } = context.oidc;
        const grant = new current.Grant({
          clientId: asking.clientId,
          accountId: session.accountId,
        });
        grant.addOIDCScope("openid email profile");
        grant.addOIDCClaims(claims);
        await grant.save();
        return grant;
      },
    });
  };
  build();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!request.url?.startsWith("/interaction/")) return current.callback()(request, response);
    const login = { accountId: provider.who };
    await current.interactionFinished(
      request,
      response,
      { login },
      { mergeWithLastSubmission: false },
    );
  };
  const provider: RealProvider = {
    issuer,
    who: "nobody",
    accounts,
    rotateKeys: () => {
      keys = [newKey()];
      build();
    },
    register: (redirect, more = {}) => {
      client = { ...CLIENT, redirect_uris: [redirect], ...more };
      build();
    },
  };
  return provider;
};
