import { randomUUID } from "node:crypto";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { operations } from "../../contract/index.ts";
import { isStorable } from "../../contract/kit/fields.ts";
import type { Operation } from "../../contract/kit/operation.ts";
import type { Config } from "../config/config.ts";
import { newBudget, within } from "../db/deadline.ts";
import type { Database } from "../db/open.ts";
import { refuse } from "../lib/refusal.ts";
import { isTraced } from "../lib/traced.ts";
import type { ServedSocket } from "../lib/upgrade.ts";
import { entranceTo } from "./authenticate.ts";
import { isUtf8, parseBody } from "./body.ts";
import { followCarriers } from "./carriers.ts";
import { type Certificate, followCertificate, httpsOptions } from "./certificate.ts";
import {
  answerClientError,
  answerExpectation,
  answerPlainHttp,
  isProperRequest,
} from "./client-error.ts";
import { shareConnections } from "./connections.ts";
import { type ConsoleFiles, serveConsole } from "./console.ts";
import { allowOrigins } from "./cors.ts";
import { countRoutes, openCounting } from "./counting.ts";
import { serveDocs } from "./docs.ts";
import { type Draining, startDraining } from "./drain.ts";
import { answerFailure } from "./failures.ts";
import { serveHealth } from "./health.ts";
import { limits } from "./limits.ts";
import { serveStreams } from "./live-routes.ts";
import { serveLogos } from "./logos.ts";
import { serveRecordings } from "./media-files.ts";
import { overloadGuard } from "./overload.ts";
import { serveProviders } from "./provider-routes.ts";
import { openReadings } from "./reading.ts";
import type { Service } from "./route.ts";
import { routesOf } from "./routes.ts";
import { serveScim } from "./scim-routes.ts";
import { type Doors, serve } from "./serve.ts";
import { traceRequests } from "./traced-requests.ts";
import { answerWithoutUpgrade, isWebSocket, serveUpgrades } from "./upgrades.ts";
import { isApi, pathOfRequest } from "./urls.ts";

/** No limit: a long ID is not found, and Node limits URLs. */
const PARAMETER_LENGTH = Number.MAX_SAFE_INTEGER;

/** A path of the contract as a pattern for real paths. */
const patterns = Object.values(operations).map((operation) => ({
  operation: operation as Operation,
  pattern: new RegExp(`^${operation.path.replace(/:[^/]+/g, "[^/]+")}$`),
}));

const pathOf = ({ url }: FastifyRequest): string => url.split("?", 1)[0] ?? "";

/**
 * Makes the path of a URL decodable: each stray `%` stands for itself, in an ID that is not found.
 */
const asItStands = (url = ""): string => (/^\/[^?#]*/.exec(url)?.[0] ?? "/").replaceAll("%", "%25");

/** The operations at a path, whatever their method. */
const operationsAt = (path: string): Operation[] =>
  patterns.filter(({ pattern }) => pattern.test(path)).map(({ operation }) => operation);

declare module "fastify" {
  interface FastifyRequest {
    /** A path's methods, for `Allow`. */
    allowed?: string;
  }
}

/** Answers a request under /api that has no route: 401 comes before 404 and 405. */
const answerUnserved = async (
  request: FastifyRequest,
  database: Database,
  { entrance, counting }: Pick<Doors, "entrance" | "counting">,
): Promise<never> => {
  const here = operationsAt(pathOf(request));
  const isOpen = here.length > 0 && here.every(({ access }) => access.startsWith("anyone"));
  if (isOpen) counting.address(request.raw);
  else await within(newBudget(database), () => entrance(request));
  if (here.length === 0) return refuse("not_found");
  const methods = here.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  request.allowed = [...new Set(methods)].join(", ");
  return refuse("method_not_allowed");
};

/** No route has a schema of Fastify's: operations check and write JSON themselves. */
const noSchema = (): never => {
  throw new Error("Routes have no schemas.");
};

/** isProperRequest counts the hosts: Node would answer a missing one without a body. */
const reading = {
  connectionsCheckingInterval: 2_000,
  requireHostHeader: false,
  shouldUpgradeCallback: isWebSocket,
};

const newApp = (
  { trustProxy, basePath }: Config,
  certificate: Certificate | undefined,
): FastifyInstance => {
  // Without a logger of its own: one per request would cost more than reading a room.
  const app = fastify({
    genReqId: () => randomUUID(),
    // Without these it would load the compilers of schemas: some 2 MB that nothing uses.
    schemaController: { compilersFactory: { buildValidator: noSchema, buildSerializer: noSchema } },
    trustProxy,
    routerOptions: { maxParamLength: PARAMETER_LENGTH },
    connectionTimeout: limits.silentMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    ...(certificate ? { https: { ...reading, ...httpsOptions(certificate) } } : { http: reading }),
    // While it drains, the service still answers; see drain.ts.
    return503OnClosing: false,
    // Before the router, which accepts absolute URLs: the hooks need only the path.
    rewriteUrl: ({ url = "" }) => pathOfRequest(url, basePath),
    // For a URL that the router cannot decode: the hooks run before the answer, as for every request.
    frameworkErrors: (_error, { raw }, reply) => {
      raw.url = asItStands(raw.url);
      app.routing(raw, reply.raw);
    },
    clientErrorHandler: answerClientError,
  }) as unknown as FastifyInstance;
  return app;
};

/** How long browsers remember that a host uses HTTPS (RFC 6797): a year, as OWASP asks. */
const ONLY_HTTPS = "max-age=31536000";

/**
 * The host that browsers must reach by HTTPS only: PUBLIC_URL's, if Parley serves it with its own
 * certificate on the https port. On another port the host may have other services, to which the
 * rule would apply too; a proxy sets the header itself.
 */
const onlyByHttps = ({ tls, publicUrl, publicUrlGiven }: Config): string | undefined => {
  if (tls === undefined || !publicUrlGiven) return undefined;
  const { protocol, port, host } = new URL(publicUrl);
  return protocol === "https:" && port === "" ? host : undefined;
};

/** Logs changes and server failures; reads only at the debug level. */
const logAnswer = (log: Logger, request: FastifyRequest, reply: FastifyReply): void => {
  const level =
    reply.statusCode >= 500 ? "warn" : /^(GET|HEAD)$/.test(request.method) ? "debug" : "info";
  if (!log.isLevelEnabled(level)) return;
  log[level](
    {
      requestId: request.id,
      operation: request.routeOptions.config.operation?.id,
      method: request.method,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      organization: request.auth?.organizationId,
      user: request.auth?.caller.userId ?? undefined,
    },
    "answered",
  );
};

/**
 * The HTTP service: the contract's operations, health, the document and the console. Looks the
 * caller up before it reads a body or reveals what exists.
 */
export const createApp = async (
  service: Service,
  log: Logger,
  files: {
    readonly console: ConsoleFiles | undefined;
    readonly certificate: Certificate | undefined;
  },
  upgrades: readonly ServedSocket[],
): Promise<{ readonly app: FastifyInstance; readonly draining: Draining }> => {
  const { config, database } = service;
  const app = newApp(config, files.certificate);
  const carrierOf = followCarriers(app.server);
  app.server.on("checkExpectation", answerExpectation);
  answerPlainHttp(app.server, carrierOf);
  const keep = shareConnections(app.server, config, carrierOf);
  const draining = startDraining(app, carrierOf);
  const guard = overloadGuard(app);
  const counting = openCounting(config);
  serveUpgrades(app.server, config, upgrades, { guard, count: counting.socket, keep });
  const served = files.certificate && followCertificate(app.server, files.certificate, log);
  app.addHook("onClose", async () => served?.stop());
  const entrance = entranceTo(database, counting);
  app.decorateRequest("auth", undefined);
  app.decorateRequest("directory", undefined);
  app.decorateRequest("budget", undefined);
  app.decorateRequest("allowed", undefined);
  app.decorateRequest("isLate", undefined);

  const readBody = openReadings(config);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", async (request: FastifyRequest) => {
    const { "content-encoding": encoding, "content-type": type = "" } = request.headers;
    if (encoding !== undefined || !isUtf8(type)) refuse("unsupported_media_type");
    return parseBody(await readBody(request));
  });

  // First: what follows is in the span of its request.
  if (isTraced()) traceRequests(app);
  const httpsHost = onlyByHttps(config);
  // With a callback: a promise per hook and request costs time.
  app.addHook("onRequest", (request, reply, done) => {
    if (httpsHost !== undefined && request.host === httpsHost) {
      reply.header("strict-transport-security", ONLY_HTTPS);
    }
    reply.header("x-request-id", request.id).header("x-content-type-options", "nosniff");
    if (isApi(request.url)) reply.header("cache-control", "no-store");
    if (!isProperRequest(request.raw)) refuse("invalid_request");
    guard.admit(request.url);
    done();
  });
  allowOrigins(app, config);
  app.addHook("onRequest", (request, _reply, done) => {
    if (!request.is404 || !isApi(request.url)) done();
    else answerUnserved(request, database, { entrance, counting }).catch(done);
  });
  countRoutes(app, counting);
  app.addHook("onRequest", ({ params, routeOptions }, _reply, done) => {
    // Operations have schemas. Elsewhere, what no database can store names nothing.
    const isOperation = routeOptions.config.operation !== undefined;
    if (!isOperation && !Object.values(params as object).every(isStorable)) refuse("not_found");
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    logAnswer(log, request, reply);
    done();
  });
  app.setErrorHandler((error, request, reply) => {
    if (request.allowed) reply.header("allow", request.allowed);
    const operation = request.routeOptions.config.operation ?? operationsAt(pathOf(request))[0];
    return answerFailure(reply, operation, error, log);
  });

  for (const route of routesOf(service)) serve(app, service, { entrance, guard, counting }, route);
  for (const { path, validate } of upgrades) {
    if (validate === undefined) continue;
    app.get<{ Querystring: { readonly access_token?: string | string[] } }>(
      `${path}/validate`,
      { config: { counts: "sockets" } },
      async ({ query }, reply) => reply.status(await validate(String(query.access_token))).send(),
    );
  }
  answerWithoutUpgrade(app, log);
  serveStreams(app, service, { guard, counting });
  serveRecordings(app, service, { guard, counting }, log);
  serveProviders(app, service, { guard }, readBody, log);
  serveScim(app, service, { guard, counting }, readBody, log);
  serveLogos(app, service, { guard });
  serveHealth(app, database, { entrance, draining });
  const { metricsToken } = config;
  if (metricsToken !== undefined) {
    // Loaded only when needed: it is 3 MB.
    const { serveMetrics } = await import("./metrics.ts");
    serveMetrics(app, database, metricsToken, served);
  }
  await serveDocs(app, config);
  await serveConsole(app, files.console, config);
  return { app, draining };
};
