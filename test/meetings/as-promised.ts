import assert from "node:assert/strict";
import { type ServerMessage, serverMessages } from "../../contract/meetings/socket.ts";

/** The schema of a message; a refused command has one of its own. */
export const nameOf = (message: ServerMessage): keyof typeof serverMessages =>
  message.type === "reply" && !message.ok ? "refusal" : message.type;

/** Reads a message of the meeting socket. @throws AssertionError if it is not as the contract says */
export const asPromised = (text: string): ServerMessage => {
  const message = JSON.parse(text) as ServerMessage;
  const schema = serverMessages[nameOf(message)];
  assert.ok(schema, `no message is called ${message.type}`);
  const { error } = schema.safeParse(message);
  assert.equal(error, undefined, `${error?.message} in ${text}`);
  return message;
};
