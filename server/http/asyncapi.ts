import { type Schema, schemaOf } from "../../contract/docs/json-schema.ts";
import {
  commandExamples,
  helloExample,
  messageExamples,
  outsideOf,
  purposeOf,
  senderOf,
  withKnownMeanings,
} from "../../contract/docs/socket-docs.ts";
import { type CommandName, command, commands, hello } from "../../contract/meetings/commands.ts";
import { MEETING_SOCKET } from "../../contract/meetings/meetings.ts";
import { serverMessages } from "../../contract/meetings/socket.ts";
import { failureSchemas } from "./openapi-failures.ts";
import { capitalized, collectRecords, type Json } from "./openapi-schemas.ts";

/*
 * The messages of the meeting socket as an AsyncAPI document, beside the OpenAPI document and made like it from
 * the contract. The service is the application that it describes: it receives commands, and sends messages.
 */

const commandNames = Object.keys(commands) as readonly CommandName[];
/** The answers to a command. */
const replies = ["reply", "refusal"] as const;

/** The name of a command's message: some messages of the service are called alike. */
const commandMessage = (name: CommandName): string => `do.${name}`;

const channel = { $ref: "#/channels/meeting" };
const inChannel = (names: readonly string[]): readonly Json[] =>
  names.map((name) => ({ $ref: `#/channels/meeting/messages/${name}` }));

/** A command as it is sent. */
const sentSchema = (name: CommandName): Schema => {
  const { properties, required = [] } = schemaOf(commands[name], "input");
  const { properties: { id = {} } = {} } = schemaOf(command, "input");
  const which = { const: name, description: "Which command it is." };
  return {
    type: "object",
    properties: { id, do: which, ...properties },
    required: ["id", "do", ...required],
  };
};

/** The description of a command, with those who may send it. */
const descriptionOf = (name: CommandName): string => {
  const operation = outsideOf(name);
  const outside =
    operation === undefined ? "" : ` From outside it is the operation \`${operation}\`.`;
  return `${purposeOf(name)} **For:** ${senderOf(name)}.${outside}`;
};

/** @param server the address of the service without a slash at its end; a path where it is unknown */
const serversOf = (server: string): Json => {
  if (!URL.canParse(server)) return {};
  const { protocol: http, host, pathname } = new URL(server);
  const protocol = http === "https:" ? "wss" : "ws";
  const at = pathname === "/" ? {} : { pathname };
  return { servers: { service: { host, protocol, ...at } } };
};

/**
 * The meeting socket as an AsyncAPI 3.0 document.
 *
 * @param server the address of the service, or its path, without a slash at its end
 */
export const asyncApiDocument = (version: string, server: string): Json => {
  const { FieldError = {} } = failureSchemas as Readonly<Record<string, Json>>;
  const records = collectRecords({ FieldError });
  const payload = (schema: Schema, name: string) => {
    const { description: _, ...bare } = withKnownMeanings(schema);
    return records.add(bare, name);
  };
  const messages: Json = {
    ticket: {
      name: "ticket",
      summary: "The first message of a client: opens the seat of a ticket.",
      payload: payload(schemaOf(hello, "input"), "TicketMessage"),
      examples: [{ payload: helloExample }],
    },
    ...Object.fromEntries(
      commandNames.map((name) => [
        commandMessage(name),
        {
          name: commandMessage(name),
          summary: descriptionOf(name),
          payload: payload(sentSchema(name), `${capitalized(name)}Command`),
          examples: [{ payload: { id: 1, do: name, ...commandExamples[name] } }],
        },
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(serverMessages).map(([name, schema]) => [
        name,
        {
          name,
          summary: schema.description,
          payload: payload(schemaOf(schema, "output"), name),
          examples: [{ payload: messageExamples[name as keyof typeof serverMessages] }],
        },
      ]),
    ),
  };
  const told = Object.keys(serverMessages).filter((name) => !replies.some((one) => one === name));
  return {
    asyncapi: "3.0.0",
    info: {
      title: "Parley: the meeting socket",
      version,
      description:
        "What travels over the WebSocket of a meeting, as JSON texts. `joinRoom` of the HTTP interface (`/openapi.json`) gives the ticket that opens it. Further messages and fields may come: a client ignores those that it does not know. After a lost connection, a new socket with the same ticket goes on with the seat and begins with a new `welcome`.",
      license: { name: "Apache-2.0" },
    },
    defaultContentType: "application/json",
    ...serversOf(server),
    channels: {
      meeting: {
        address: MEETING_SOCKET,
        description: "One seat in a meeting, or one place before its door.",
        messages: Object.fromEntries(
          Object.keys(messages).map((name) => [name, { $ref: `#/components/messages/${name}` }]),
        ),
        bindings: { ws: { method: "GET", bindingVersion: "0.1.0" } },
      },
    },
    operations: {
      open: {
        action: "receive",
        channel,
        summary: "Opens the seat of a ticket.",
        messages: inChannel(["ticket"]),
        reply: { channel, messages: inChannel(["welcome", "lobby", "ended"]) },
      },
      ...Object.fromEntries(
        commandNames.map((name) => [
          name,
          {
            action: "receive",
            channel,
            summary: descriptionOf(name),
            messages: inChannel([commandMessage(name)]),
            reply: { channel, messages: inChannel(replies) },
          },
        ]),
      ),
      tell: {
        action: "send",
        channel,
        summary: "Describes the meeting as this person may see it, and every change of it.",
        messages: inChannel(told),
      },
    },
    components: { messages, schemas: records.all() },
  };
};
