import type { FastifyInstance } from "fastify";
import { beginSpan } from "../lib/traced.ts";

/**
 * Makes a span of each request for an operation. Its name and attributes are those of OpenTelemetry's
 * conventions for HTTP; the path itself is not among them, because it may hold the code of a link.
 */
export const traceRequests = (app: FastifyInstance): void => {
  app.addHook("onRequest", (request, reply, done) => {
    const { operation } = request.routeOptions.config;
    if (operation === undefined) return done();
    const { method, path, id } = operation;
    const { traceparent } = request.headers;
    const end = beginSpan(
      `${method} ${path}`,
      {
        kind: "server",
        parent: typeof traceparent === "string" ? traceparent : undefined,
        attributes: {
          "http.request.method": request.method,
          "http.route": path,
          "url.scheme": request.protocol,
          "parley.operation": id,
          "parley.request.id": request.id,
        },
      },
      done,
    );
    // Also where the client hangs up, which has no answer.
    reply.raw.once("close", () => {
      const { auth } = request;
      const userId = auth?.caller.userId ?? undefined;
      end({
        ...(reply.raw.headersSent && { "http.response.status_code": reply.statusCode }),
        ...(auth && { "parley.organization.id": auth.organizationId }),
        ...(userId !== undefined && { "user.id": userId }),
      });
    });
  });
};
