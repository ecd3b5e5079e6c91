import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { FastifyInstance } from "fastify";
import { operations as o } from "../../contract/index.ts";
import { paginate } from "../../contract/kit/pages.ts";
import { newBudget, within } from "../db/deadline.ts";
import { ignoring } from "../lib/durable.ts";
import { refuse } from "../lib/refusal.ts";
import { openOffers, STREAM_PLAYLIST, streamFolder } from "../live/files.ts";
import { checkWatching, watchPath, watchStream } from "../live/watch.ts";
import * as transcripts from "../transcription/transcripts.ts";
import { cookiesOf } from "./cookie.ts";
import { countViewer } from "./counting.ts";
import { changing, openOrAs, type Route, type Service, scoped } from "./route.ts";
import type { Doors } from "./serve.ts";

const ok = { success: true } as const;

/** Watching live streams, and transcripts. */
export const liveRoutes = ({
  config,
  database,
  seal,
}: Pick<Service, "config" | "database" | "seal">): readonly Route[] => [
  openOrAs(o.watchStream, async ({ input, cookies, ...asking }) => {
    const asked = { ...asking, guest: cookies.guest.values()[0] };
    const watching = await watchStream({ database, seal }, input, asked);
    const { streamId, roomName, pass, guest } = watching;
    if (guest !== undefined) cookies.guest.set(guest);
    cookies.watch(streamId).set(pass);
    const playlist = `${config.basePath}${watchPath(streamId)}/${STREAM_PLAYLIST}`;
    return { ...ok, playlist, roomName };
  }),
  scoped(o.getTranscript, async ({ input, organization }) => ({
    ...ok,
    transcript: await transcripts.transcriptOf(organization, input),
  })),
  scoped(o.searchTranscripts, async ({ input, organization }) => {
    const { found, total } = await transcripts.searchTranscripts(organization, input);
    return { ...ok, found: [...found], pagination: paginate(input, total) };
  }),
  changing(o.deleteTranscript, ({ input }) => ({
    rule: (change) => transcripts.deleteTranscript(change, input.meetingId),
    answer: () => ok,
  })),
];

/** The only names that a capture writes. */
const PART = /^(?:init\.mp4|\d{1,9}\.m4s)$/;

/**
 * Serves parts of live streams to permitted viewers. Not an operation: a player loads them with the
 * cookie of watchStream.
 */
export const serveStreams = (
  app: FastifyInstance,
  { config, database, seal }: Pick<Service, "config" | "database" | "seal">,
  { guard, counting }: Pick<Doors, "guard" | "counting">,
): void => {
  const offerOf = openOffers();
  app.get<{ Params: { readonly streamId: string; readonly file: string } }>(
    `${watchPath(":streamId")}/:file`,
    { config: { counts: "files" } },
    async (request, reply) => {
      const { streamId, file } = request.params;
      const cookies = cookiesOf(request, reply, config).watch(streamId).values();
      const check = () =>
        within(newBudget(database), () => checkWatching({ database, seal }, streamId, cookies));
      await guard.work(() => countViewer(counting, request, check));
      const folder = streamFolder(config.dataDir, streamId);
      if (file === STREAM_PLAYLIST) {
        const text = await offerOf(folder);
        if (text === undefined) return refuse("not_found");
        return reply.type("application/vnd.apple.mpegurl").send(text);
      }
      if (!PART.test(file)) return refuse("not_found");
      const path = join(folder, file);
      const found = await stat(path).catch(ignoring("ENOENT"));
      if (found === undefined) return refuse("not_found");
      return reply
        .type("video/mp4")
        .header("content-length", found.size)
        .send(createReadStream(path));
    },
  );
};
