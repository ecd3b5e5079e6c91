import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { operations as o } from "../../contract/index.ts";
import type { SignInRefusal } from "../../contract/kit/plain.ts";
import { newBudget, uncounted, within } from "../db/deadline.ts";
import { addressOf, isAmong } from "../lib/networks.ts";
import { Refusal } from "../lib/refusal.ts";
import { unlinkUser } from "../sign-in/accounts.ts";
import type { Reaching } from "../sign-in/as-client.ts";
import { beginSignIn, knownProvider, localPage, usableProvider } from "../sign-in/begin.ts";
import { finishSignIn } from "../sign-in/finish.ts";
import { endByProvider, signOutOfProvider, WrongLogout } from "../sign-in/logout.ts";
import * as providers from "../sign-in/providers.ts";
import { SignInRefused } from "../sign-in/refused.ts";
import { tryProvider } from "../sign-in/try-provider.ts";
import { waysInto } from "../sign-in/ways.ts";
import { cookiesOf } from "./cookie.ts";
import { RETRY_SECONDS } from "./failures.ts";
import type { ReadBody } from "./reading.ts";
import { changing, open, type Route, type Service, scoped } from "./route.ts";
import type { Doors } from "./serve.ts";
import { isOfOwnPage } from "./upgrades.ts";

const ok = { success: true } as const;

type Parts = Pick<Service, "config" | "database" | "seal" | "onError">;

const reachingOf = ({ config, seal }: Parts): Reaching => ({
  config,
  seal,
  isAllowed: isAmong(config.allowedNetworks),
});

/** The operations about providers. */
export const providerRoutes = (parts: Parts): readonly Route[] => {
  const { config, database } = parts;
  const reaching = reachingOf(parts);
  const tools = () => ({ ...reaching, publicUrl: config.publicUrl });
  return [
    changing(o.createProvider, ({ input }) => ({
      rule: (change) => providers.createProvider(change, input, tools()),
      answer: (provider) => ({ ...ok, provider }),
    })),
    scoped(o.listProviders, async ({ organization }) => ({
      ...ok,
      providers: await providers.listProviders(organization, config.publicUrl),
    })),
    changing(o.editProvider, ({ input, auth }) => ({
      rule: (change) => providers.editProvider(change, input, auth.session, tools()),
      answer: (provider) => ({ ...ok, provider }),
    })),
    changing(o.removeProvider, ({ input, auth }) => ({
      rule: (change) => providers.removeProvider(change, input.id, auth.session),
      answer: () => ok,
    })),
    changing(o.testProvider, async ({ input, organization }) => {
      // Before the change, which must not wait for a provider.
      const findings = await uncounted(() => tryProvider(organization, input.id, reaching));
      return { rule: async () => {}, answer: () => ({ ...ok, findings }) };
    }),
    changing(o.unlinkUser, ({ input }) => ({
      rule: (change) => unlinkUser(change, input.userId),
      answer: (unlinked) => ({ ...ok, unlinked }),
    })),
    open(o.findWaysIn, async ({ input }) => ({ ...ok, ...(await waysInto(database, input)) })),
    scoped(o.signOutOfProvider, async ({ auth, cookies: { renewal }, organization }) => {
      const { address, endsCookie } = await uncounted(() =>
        signOutOfProvider(reaching, organization, auth, renewal.values(), (problem) =>
          parts.onError(new Error(problem)),
        ),
      );
      if (endsCookie) renewal.end();
      return { ...ok, address };
    }),
  ];
};

type Given = string | string[];

interface Asked {
  readonly Params: { readonly id: string };
  /** `login_hint` is what portals call `login` (OpenID Connect). */
  readonly Querystring: {
    readonly to?: Given;
    readonly login?: Given;
    readonly login_hint?: Given;
  };
}

const one = (value: Given | undefined): string | undefined =>
  typeof value === "string" ? value : undefined;

/** The query of a request as it came, without the question mark. */
const queryOf = ({ url }: FastifyRequest): string => url.split("?").slice(1).join("?");

/**
 * Serves the way of a browser to a provider and back, and what the provider itself posts. Not operations:
 * browsers are sent on, and pages say what went wrong.
 */
export const serveProviders = (
  app: FastifyInstance,
  service: Service,
  { guard }: Pick<Doors, "guard">,
  readBody: ReadBody,
  log: Logger,
): void => {
  const { config, database, onError } = service;
  const reaching = reachingOf(service);
  const from = addressOf(config.trustProxy);
  const work = <T>(wanted: () => Promise<T>): Promise<T> =>
    guard.work(() => within(newBudget(database), wanted));

  const send = (reply: FastifyReply, to: string): FastifyReply =>
    reply.header("cache-control", "no-store").header("referrer-policy", "no-referrer").redirect(to);

  /** The page that says why a person is not in. */
  const addressAfter = (id: string, error: unknown): string => {
    const refused =
      error instanceof SignInRefused
        ? error
        : error instanceof Refusal
          ? new SignInRefused("busy")
          : undefined;
    if (refused === undefined) throw error;
    if (refused.detail !== undefined) {
      log.warn({ provider: id, problem: refused.detail }, "a sign-in by a provider failed");
    }
    const word: SignInRefusal = refused.word;
    return `${config.publicUrl}/?signIn=${word}`;
  };

  const path = providers.providerPath(":id");
  // A link to here may be anybody's, such as a portal's: the page asks before it begins.
  app.get<Asked>(path, { config: { counts: "nothing" } }, (request, reply) => {
    const { to, login, login_hint: hint } = request.query;
    const [page, person] = [one(to), one(login) ?? one(hint)];
    const query = new URLSearchParams({
      provider: request.params.id,
      ...(page !== undefined && { to: localPage(page, config.publicUrl) }),
      ...(person !== undefined && { login: person }),
    });
    return send(reply, `${config.publicUrl}/by-provider?${query}`);
  });

  app.post<Asked>(path, { config: { counts: "address" } }, async (request, reply) => {
    const { id } = request.params;
    reply.header("cache-control", "no-store");
    try {
      if (!isOfOwnPage(request.headers, config)) throw new SignInRefused("ended");
      const row = await work(() => usableProvider(database, id));
      const { to, login } = request.query;
      const begun = await beginSignIn(reaching, row, { to: one(to), login: one(login) });
      cookiesOf(request, reply, config).signIn(providers.providerPath(id)).set(begun.cookie);
      return reply.send({ address: begun.address });
    } catch (error) {
      return reply.send({ address: addressAfter(id, error) });
    }
  });

  app.get<Asked>(`${path}/callback`, { config: { counts: "address" } }, async (request, reply) => {
    const { id } = request.params;
    const cookies = cookiesOf(request, reply, config);
    const kept = cookies.signIn(providers.providerPath(id));
    try {
      const row = await work(() => usableProvider(database, id));
      const { to, renewal } = await finishSignIn({ ...reaching, database, onError }, row, {
        search: queryOf(request),
        cookies: kept.values(),
        address: from(request.raw),
        userAgent: request.headers["user-agent"],
      });
      kept.end();
      cookies.renewal.set(renewal);
      return send(reply, `${config.publicUrl}${withEntered(to)}`);
    } catch (error) {
      return send(reply, addressAfter(id, error));
    }
  });

  app.register((forms, _options, done) => {
    forms.addContentTypeParser(
      "application/x-www-form-urlencoded",
      async (request: FastifyRequest) => new URLSearchParams(String(await readBody(request))),
    );
    forms.post<Asked>(
      `${path}/logout`,
      { config: { counts: "address" } },
      async (request, reply) => {
        const { id } = request.params;
        const token =
          request.body instanceof URLSearchParams ? request.body.get("logout_token") : null;
        try {
          // Also of a provider that is switched off, or has no client any more: sessions that it opened go on.
          const row = await work(() => knownProvider(database, id));
          if (token === null) throw new WrongLogout();
          await endByProvider({ ...reaching, database }, row, token, from(request.raw));
          return reply.status(200).send();
        } catch (error) {
          if (error instanceof SignInRefused) {
            log.warn(
              { provider: id, problem: error.detail },
              "a logout token could not be checked",
            );
            return reply.status(503).header("retry-after", RETRY_SECONDS).send();
          }
          // Of a fault here the provider must not read that its token is wrong: it would not try again.
          if (!(error instanceof WrongLogout)) throw error;
          log.warn({ provider: id, error: String(error) }, "a logout token was not accepted");
          return reply.status(400).type("application/json").send('{"error":"invalid_request"}');
        }
      },
    );
    done();
  });
};

/** The page to which a browser returns, with the mark by which it looks for its new session. */
const withEntered = (to: string): string => {
  const url = new URL(to, "http://page.invalid");
  url.searchParams.set("signIn", "done");
  return `${url.pathname}${url.search}${url.hash}`;
};
