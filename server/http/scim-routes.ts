import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { texts } from "../../contract/kit/texts.ts";
import { openDirectory } from "../access/exchange.ts";
import type { Organization } from "../change/organization.ts";
import { newBudget, within } from "../db/deadline.ts";
import { hasVersion } from "../lib/entity-tag.ts";
import { addressOf } from "../lib/networks.ts";
import { refuse } from "../lib/refusal.ts";
import { draftIn, keepShort, type WantedPerson, wantedIn } from "../scim/draft.ts";
import { type Listing, listPeople } from "../scim/list.ts";
import { ERROR, isFields, keyOf, LIST, wordOf } from "../scim/names.ts";
import { patched } from "../scim/patch.ts";
import { changePerson, createPerson, deletePerson, personOf } from "../scim/people.ts";
import { type PersonRow, type Projection, presentScimPerson, project } from "../scim/person.ts";
import { refuseScim, ScimRefused, type ScimType, scimTypeOf } from "../scim/refused.ts";
import {
  LARGEST,
  type Locate,
  resourceTypesOf,
  schemasOf,
  scimConfiguration,
} from "../scim/schemas.ts";
import { bearerOf } from "./authenticate.ts";
import { parseBody } from "./body.ts";
import { answerFailure } from "./failures.ts";
import type { ReadBody } from "./reading.ts";
import type { Service } from "./route.ts";
import { type Doors, readIfMatch } from "./serve.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The organization whose directory asks; set before the body is read. */
    directory?: Organization;
  }
}

const ROOT = "/scim/v2";
const TYPE = "application/scim+json; charset=utf-8";
const USERS = "/Users";
const PERSON = `${USERS}/:id`;

type Query = Readonly<Record<string, unknown>>;

/** A text of a query or a search; undefined where there is none. @throws ScimRefused `invalidValue` */
const textIn = (value: unknown, name: string): string | undefined => {
  if (value === undefined || typeof value === "string") return value;
  return refuseScim("invalidValue", `${name} must be one text.`);
};

/** A whole number of a query or a search. @throws ScimRefused `invalidValue` */
const numberIn = (value: unknown, name: string, initial: number): number => {
  if (value === undefined) return initial;
  const number = typeof value === "object" || value === "" ? Number.NaN : Number(value);
  return Number.isSafeInteger(number)
    ? number
    : refuseScim("invalidValue", `${name} must be a whole number.`);
};

/** The keys of attributes: in a query separated by commas, in a search a list. @throws ScimRefused `invalidValue` */
const attributesIn = (value: unknown, name: string): string[] | undefined => {
  if (value === undefined) return undefined;
  const words = [value].flat().flatMap((text) => wordOf(text).split(","));
  return keepShort(words, name).map(keyOf).filter(Boolean);
};

const shownIn = ({ attributes, excludedAttributes }: Query): Projection => ({
  attributes: attributesIn(attributes, "attributes"),
  excluded: attributesIn(excludedAttributes, "excludedAttributes") ?? [],
});

const listingIn = ({ filter, startIndex, count, sortBy, sortOrder }: Query): Listing => ({
  filter: textIn(filter, "filter"),
  startIndex: numberIn(startIndex, "startIndex", 1),
  count: numberIn(count, "count", LARGEST / 2),
  sortBy: textIn(sortBy, "sortBy"),
  descending: textIn(sortOrder, "sortOrder")?.toLowerCase() === "descending",
});

const listOf = (resources: readonly object[], total: number, startIndex = 1) => ({
  schemas: [LIST],
  totalResults: total,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
});

/** An error in the shape of SCIM (RFC 7644, 3.12). */
const errorBody = (status: number, scimType: ScimType | undefined, detail: string) => ({
  schemas: [ERROR],
  status: String(status),
  ...(scimType && { scimType }),
  detail,
});

/** A document of the service by its ID. @throws ScimRefused */
const documentIn = <D extends { readonly id: string }>(documents: readonly D[], id: string): D =>
  documents.find((one) => keyOf(one.id) === keyOf(id)) ?? refuseAddress();

const refuseAddress = (): never => {
  throw new ScimRefused(404, undefined, "There is nothing at this address.");
};

/** The methods at each address, for `Allow`. */
const methodsAt: readonly (readonly [RegExp, string])[] = [
  [/^\/Users$/, "GET, POST"],
  [/^\/(?:Users\/)?\.search$/, "POST"],
  [/^\/Users\/[^/]+$/, "GET, PUT, PATCH, DELETE"],
  [/^\/ServiceProviderConfig$/, "GET"],
  [/^\/(?:ResourceTypes|Schemas)(?:\/[^/]+)?$/, "GET"],
];

/** Answers a request that no route takes. @throws ScimRefused */
const answerUntaken = ({ url }: FastifyRequest, reply: FastifyReply): never => {
  const [path = ""] = url.slice(ROOT.length).split("?", 1);
  const methods = methodsAt.find(([pattern]) => pattern.test(path))?.[1];
  if (methods === undefined) return refuseAddress();
  reply.header("allow", methods);
  throw new ScimRefused(405, undefined, "This address does not accept this method.");
};

/** The descriptions of the service are never filtered (RFC 7644, 4). @throws ScimRefused */
const refuseFilter = ({ filter }: Query): void => {
  if (filter !== undefined) throw new ScimRefused(403, undefined, "A filter is not possible here.");
};

interface Asked {
  readonly Params: { readonly id: string };
  readonly Querystring: Query;
}

/**
 * Serves SCIM 2.0: the directory of an organization keeps its people. Not operations: paths, names and errors
 * are those of RFC 7643 and RFC 7644, and /Schemas describes them.
 */
export const serveScim = (
  app: FastifyInstance,
  service: Service,
  { guard, counting }: Pick<Doors, "guard" | "counting">,
  readBody: ReadBody,
  log: Logger,
): void => {
  const { config, database, seal, onError } = service;
  const from = addressOf(config.trustProxy);
  const locate: Locate = (path) => `${config.publicUrl}${ROOT}${path}`;
  const work = <T>(wanted: () => Promise<T>): Promise<T> =>
    guard.work(() => within(newBudget(database), wanted));

  const enter = async (request: FastifyRequest): Promise<void> => {
    const token = bearerOf(request);
    if (token === undefined) {
      counting.address(request.raw);
      return refuse("unauthorized");
    }
    const asking = { address: from(request.raw), count: counting.holder };
    request.directory = await work(() => openDirectory({ database, onError }, token, asking));
  };

  const organizationOf = ({ directory }: FastifyRequest): Organization =>
    directory ?? refuse("unauthorized");

  /** Answers a person. */
  const answer = (
    { query }: FastifyRequest<Asked>,
    reply: FastifyReply,
    row: PersonRow,
    status = 200,
  ): FastifyReply => {
    const person = presentScimPerson(row, locate);
    const { location, version } = person.meta;
    if (status === 201) reply.header("location", location);
    // A compressing proxy would change the tag.
    reply.header("etag", version).header("cache-control", "no-store, no-transform");
    return reply.status(status).send(project(person, shownIn(query)));
  };

  const answerList = async (
    request: FastifyRequest<Asked>,
    reply: FastifyReply,
    query: Query,
  ): Promise<FastifyReply> => {
    const listing = listingIn(query);
    const { total, rows } = await work(() => listPeople(organizationOf(request), listing));
    const people = rows.map((row) => project(presentScimPerson(row, locate), shownIn(query)));
    return reply.send(listOf(people, total, Math.max(listing.startIndex, 1)));
  };

  const serveUsers = (scim: FastifyInstance): void => {
    scim.get<Asked>(USERS, (request, reply) => answerList(request, reply, request.query));
    for (const path of ["/.search", `${USERS}/.search`]) {
      scim.post<Asked>(path, (request, reply) =>
        answerList(request, reply, isFields(request.body) ? request.body : {}),
      );
    }
    scim.get<Asked>(PERSON, async (request, reply) => {
      const { read, id } = organizationOf(request);
      const row = await work(() => personOf(read, id, request.params.id));
      const { version } = presentScimPerson(row, locate).meta;
      if (hasVersion(request.headers["if-none-match"], version)) {
        return reply.status(304).header("etag", version).send();
      }
      return answer(request, reply, row);
    });
    scim.post<Asked>(USERS, async (request, reply) => {
      const wanted = wantedIn(draftIn(request.body));
      const row = await work(() =>
        organizationOf(request).change((change) =>
          createPerson(change, wanted, { seal, publicUrl: config.publicUrl }),
        ),
      );
      return answer(request, reply, row, 201);
    });
    const change = async (
      request: FastifyRequest<Asked>,
      reply: FastifyReply,
      wantedFrom: (current: WantedPerson) => WantedPerson,
    ): Promise<FastifyReply> => {
      const ifMatch = readIfMatch(request.headers["if-match"]);
      const row = await work(() =>
        organizationOf(request).change((made) =>
          changePerson(made, request.params.id, wantedFrom, ifMatch),
        ),
      );
      return answer(request, reply, row);
    };
    scim.put<Asked>(PERSON, (request, reply) => {
      const draft = draftIn(request.body);
      return change(request, reply, (current) => wantedIn(draft, current));
    });
    scim.patch<Asked>(PERSON, (request, reply) =>
      change(request, reply, (current) => patched(current, request.body)),
    );
    scim.delete<Asked>(PERSON, async (request, reply) => {
      const ifMatch = readIfMatch(request.headers["if-match"]);
      await work(() =>
        organizationOf(request).change((made) => deletePerson(made, request.params.id, ifMatch)),
      );
      return reply.status(204).send();
    });
  };

  const serveDiscovery = (scim: FastifyInstance): void => {
    scim.get<Asked>("/ServiceProviderConfig", async ({ query }, reply) => {
      refuseFilter(query);
      return reply.send(scimConfiguration(locate, config.publicUrl));
    });
    const lists = { "/ResourceTypes": resourceTypesOf, "/Schemas": schemasOf };
    for (const [path, documentsOf] of Object.entries(lists)) {
      scim.get<Asked>(path, async ({ query }, reply) => {
        refuseFilter(query);
        const documents = documentsOf(locate);
        return reply.send(listOf(documents, documents.length));
      });
      scim.get<Asked>(`${path}/:id`, async ({ params }, reply) =>
        reply.send(documentIn<{ readonly id: string }>(documentsOf(locate), params.id)),
      );
    }
  };

  app.register(
    (scim, _options, done) => {
      // Beside application/json, which every part of the service reads.
      scim.addContentTypeParser("application/scim+json", async (request: FastifyRequest) =>
        parseBody(await readBody(request)),
      );
      scim.addHook("onRoute", (route) => {
        route.config = { ...route.config, counts: "found" };
      });
      scim.addHook("onRequest", async (request, reply) => {
        reply.header("cache-control", "no-store").type(TYPE);
        await enter(request);
      });
      scim.setErrorHandler((error, _request, reply) => {
        reply.type(TYPE);
        if (error instanceof ScimRefused) {
          const { status, scimType, message } = error;
          return reply.status(status).send(errorBody(status, scimType, message));
        }
        return answerFailure(reply, undefined, error, log, ({ code, text }) =>
          errorBody(texts[code].status, scimTypeOf[code], text),
        );
      });
      serveUsers(scim);
      serveDiscovery(scim);
      const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];
      scim.route({ method: methods, url: "/*", handler: answerUntaken });
      done();
    },
    { prefix: ROOT },
  );
};
