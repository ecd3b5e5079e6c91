import { createHmac } from "node:crypto";
import type { Cluster } from "../config/media.ts";
import { boundedText } from "../lib/bounded-text.ts";
import { EngineUnavailable } from "./engine.ts";

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** LiveKit tolerates clocks that differ by a minute; this adds some seconds in case ours is ahead. */
const EARLY_SECONDS = 10;
const LIFE_SECONDS = 30;

/**
 * A token for LiveKit (JWT, HS256), valid for 30 seconds. It never leaves this service.
 *
 * @param video the claims that LiveKit calls VideoGrant
 * @param identity who joins; undefined for a call of its API
 */
export const signToken = (
  { key, secret }: Pick<Cluster, "key" | "secret">,
  video: Readonly<Record<string, unknown>>,
  identity?: string,
): string => {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: key, sub: identity, nbf: now - EARLY_SECONDS, exp: now + LIFE_SECONDS };
  const text = `${encode({ alg: "HS256", typ: "JWT" })}.${encode({ ...claims, video })}`;
  return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
};

/** How long a call waits for an answer. */
const PATIENCE_MS = 10_000;
/** The most of an answer that is read, in bytes: those for a meeting of a thousand people are smaller. */
const LARGEST = 32 * 1024 * 1024;
/** LiveKit's answer when, for 3 s, no node has said that it has the person or the room. */
const NO_NODE = 'no response from servers"';

/** The answers of LiveKit's RoomService: the keys that Parley reads. */
interface Answers {
  readonly ListRooms: { readonly rooms?: readonly { readonly name: string }[] };
  readonly ListParticipants: {
    readonly participants?: readonly { readonly identity: string; readonly state?: unknown }[];
  };
  readonly UpdateParticipant: { readonly identity?: string };
  readonly RemoveParticipant: Readonly<Record<string, never>>;
  readonly CreateRoom: Readonly<Record<string, unknown>>;
  readonly DeleteRoom: Readonly<Record<string, never>>;
}

/** Returns whether every entry of a list, where there is one, has this text. */
const haveTexts = (list: unknown, key: string): boolean =>
  list === undefined ||
  (Array.isArray(list) && list.every((entry) => typeof entry?.[key] === "string"));

/** Reads an answer with status 200; undefined if it is not LiveKit's, such as the page of a proxy. */
const readAnswer = (text: string): Answers[keyof Answers] | undefined => {
  let answer: { readonly rooms?: unknown; readonly participants?: unknown } | null;
  try {
    answer = JSON.parse(text);
  } catch {
    return undefined;
  }
  const isObject = typeof answer === "object" && answer !== null && !Array.isArray(answer);
  const isMeant =
    isObject && haveTexts(answer?.rooms, "name") && haveTexts(answer?.participants, "identity");
  return isMeant ? (answer as Answers[keyof Answers]) : undefined;
};

/**
 * Calls a method of LiveKit's RoomService (Twirp: JSON by POST).
 *
 * @param patienceMs how long to wait for the answer, in milliseconds
 * @returns its answer; undefined if the room or person is not there
 * @throws EngineUnavailable if it does not answer, or answers anything else
 */
export const callRoomService = async <M extends keyof Answers>(
  cluster: Cluster,
  method: M,
  body: Readonly<Record<string, unknown>> & { readonly room?: string },
  patienceMs = PATIENCE_MS,
): Promise<Answers[M] | undefined> => {
  const video = { roomAdmin: true, roomList: true, roomCreate: true, room: body.room };
  let status: number;
  let text: string | undefined;
  try {
    const response = await fetch(`${cluster.url}/twirp/livekit.RoomService/${method}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${signToken(cluster, video)}`,
      },
      body: JSON.stringify(body),
      redirect: "manual",
      signal: AbortSignal.timeout(patienceMs),
    });
    status = response.status;
    text = await boundedText(response, LARGEST);
  } catch (error) {
    throw new EngineUnavailable(`${method}: the media engine does not answer.`, { cause: error });
  }
  const answer = status === 200 ? readAnswer(text ?? "") : undefined;
  if (answer !== undefined) return answer as Answers[M];
  if (status === 200) throw new EngineUnavailable(`${method}: what answers is no media engine.`);
  // Anything may answer 404; only LiveKit says so in these words.
  if (status === 404 && text?.includes('"not_found"')) return undefined;
  throw new EngineUnavailable(`${method}: the media engine answered ${status}.`, {
    isOnNoNode: text?.includes(NO_NODE) === true,
  });
};
