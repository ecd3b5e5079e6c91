import { randomUUID } from "node:crypto";
import cookie from "@fastify/cookie";
import fastify, { type FastifyInstance, type FastifyRequest, LogController } from "fastify";
import type { Logger } from "pino";
import { operations } from "../../contract/index.ts";
import type { Operation } from "../../contract/operation.ts";
import type { Authenticated } from "../access/tokens.ts";
import { refuse } from "../refusal.ts";
import { allow, authenticate } from "./authenticate.ts";
import { BODY_BYTES, parseBody } from "./body.ts";
import { answerClientError } from "./client-error.ts";
import { type ConsoleFiles, serveConsole } from "./console.ts";
import { allowOrigins } from "./cors.ts";
import { serveDocs } from "./docs.ts";
import { type Draining, drainable } from "./drain.ts";
import { answerFailure } from "./failures.ts";
import { serveHealth } from "./health.ts";
import { serveMetrics } from "./metrics.ts";
import { limitRate, shedOverload, timeLimits } from "./overload.ts";
import { type Service, serve } from "./route.ts";
import { routesOf } from "./routes.ts";

/** Room IDs have up to 128 characters, each of which may be sent percent-encoded. */
const PARAMETER_LENGTH = 400;

/** A path of the contract as a pattern for real paths. */
const patterns = Object.values(operations).map((operation) => ({
  operation: operation as Operation,
  pattern: new RegExp(`^${operation.path.replace(/:[^/]+/g, "[^/]+")}$`),
}));

const pathOf = ({ url }: FastifyRequest): string => url.split("?", 1)[0] ?? "";
const isApi = (path: string): boolean => path === "/api" || path.startsWith("/api/");

/** The operations at a path, whatever their method. */
const operationsAt = (path: string): Operation[] =>
  patterns.filter(({ pattern }) => pattern.test(path)).map(({ operation }) => operation);

/** What a request without a route of its own is told, under /api. */
const answerUnserved = (request: FastifyRequest, allowed: readonly Operation[]): never => {
  if (allowed.length === 0) return refuse("not_found");
  const methods = allowed.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  request.allowed = [...new Set(methods)].join(", ");
  return refuse("method_not_allowed");
};

const holderOf = ({ caller }: Authenticated): string => caller.userId ?? caller.accessKey ?? "";

declare module "fastify" {
  interface FastifyRequest {
    /** The methods that the path takes, for `Allow`. */
    allowed?: string;
  }
}

/**
 * The HTTP service: the contract's operations, health, the interface's document and the console.
 * Who calls is known before a body is read, and before it is told what exists.
 */
export const createApp = async (
  service: Service,
  log: Logger,
  consoleFiles: ConsoleFiles | undefined,
): Promise<{ app: FastifyInstance; draining: Draining }> => {
  const app: FastifyInstance = fastify({
    loggerInstance: log,
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: "requestId",
    }),
    genReqId: () => randomUUID(),
    trustProxy: service.config.trustProxy,
    bodyLimit: BODY_BYTES,
    routerOptions: { maxParamLength: PARAMETER_LENGTH },
    connectionTimeout: timeLimits.silentMs,
    requestTimeout: timeLimits.requestMs,
    keepAliveTimeout: timeLimits.keepAliveMs,
    http: { connectionsCheckingInterval: 2_000 },
    // While it drains the service still answers; see drain.ts.
    return503OnClosing: false,
    frameworkErrors: (error, _request, reply) => void answerFailure(reply, undefined, error),
    clientErrorHandler: answerClientError,
  }) as unknown as FastifyInstance;
  await app.register(cookie);
  app.decorateRequest("auth", undefined);
  app.decorateRequest("allowed", undefined);

  const { config, database } = service;
  shedOverload(app);
  const draining = drainable(app);
  const countRequest = limitRate(config);
  allowOrigins(app, config);

  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/json",
    { parseAs: "buffer" },
    async (request: FastifyRequest, body: Buffer) => {
      if (request.headers["content-encoding"] !== undefined) refuse("unsupported_media_type");
      return parseBody(body);
    },
  );

  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id).header("x-content-type-options", "nosniff");
    const path = pathOf(request);
    if (!isApi(path)) return;
    reply.header("cache-control", "no-store");
    const { operation } = request.routeOptions.config;
    const here = operation ? [operation] : operationsAt(path);
    if (here.length === 0 || here.some(({ access }) => access !== "anyone")) {
      if (operation?.access !== "anyone") request.auth = await authenticate(database, request);
    }
    if (request.auth) countRequest(holderOf(request.auth));
    if (!operation) answerUnserved(request, here);
    else if (request.auth) allow(operation.access, request.auth);
  });
  app.setErrorHandler((error, request, reply) => {
    if (request.allowed) reply.header("allow", request.allowed);
    const operation = request.routeOptions.config.operation ?? operationsAt(pathOf(request))[0];
    return answerFailure(reply, operation, error);
  });
  app.addHook("onResponse", async (request, reply) => {
    const { operation } = request.routeOptions.config;
    const level = operation && operation.method !== "GET" ? "info" : "debug";
    request.log[reply.statusCode >= 500 ? "warn" : level](
      {
        operation: operation?.id,
        method: request.method,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        organization: request.auth?.organizationId,
        user: request.auth?.caller.userId ?? undefined,
      },
      "answered",
    );
  });

  for (const route of routesOf(service)) serve(app, service, route);
  serveHealth(app, database, draining);
  serveMetrics(app, database, config);
  await serveDocs(app);
  await serveConsole(app, consoleFiles);
  return { app, draining };
};
