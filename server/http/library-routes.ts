import { operations as o } from "../../contract/index.ts";
import type { Reply } from "../../contract/kit/operation.ts";
import { paginate } from "../../contract/kit/pages.ts";
import type { RecordingMedia } from "../../contract/recordings/library.ts";
import type { Size } from "../meetings/captures/recording-plan.ts";
import * as recordings from "../recordings/library.ts";
import { createLink, listLinks, revokeLink } from "../recordings/links.ts";
import {
  mediaPath,
  type OpenedRow,
  openLinkedFile,
  openRecording,
  openRecordingLink,
} from "../recordings/viewing.ts";
import type { Cookies } from "./cookie.ts";
import { changing, open, type Route, type Service, scoped } from "./route.ts";

const ok = { success: true } as const;

/** The inputs of a request for a recording as one file. */
interface FileCall {
  readonly input: { readonly resolution?: Size | undefined };
  readonly cookies: Cookies;
  readonly answerOther: () => void;
}

/** Finished recordings: listed, played, shared, renamed, deleted. */
export const libraryRoutes = ({
  config,
  database,
  library: { downloads },
}: Pick<Service, "config" | "database" | "library">): readonly Route[] => {
  /** Sets the cookie that opens a recording's files, until a time. */
  const admit = (cookies: Cookies, id: string, cookie: string, expiresAt: string): void => {
    const seconds = Math.max(1, Math.floor((Date.parse(expiresAt) - Date.now()) / 1000));
    cookies.recording(mediaPath(id), seconds).set(cookie);
  };
  /** The recording that plays, with the addresses for browsers. */
  const served = ({ url, sizes, ...media }: RecordingMedia): RecordingMedia => ({
    ...media,
    url: config.basePath + url,
    sizes: sizes.map((size) => ({ ...size, url: config.basePath + size.url })),
  });
  /** Answers a recording as one file, or that it is being made. */
  const answerFile = (
    { media, cookie, row }: OpenedRow,
    { input, cookies, answerOther }: FileCall,
  ): Reply<typeof o.downloadRecording> => {
    const file = downloads.fileOf(row, input.resolution);
    if (file === undefined) {
      answerOther();
      return { ...ok, download: null };
    }
    admit(cookies, row.id, cookie, media.expiresAt);
    const url = `${config.basePath}${mediaPath(row.id)}/${file.name}?download`;
    return { ...ok, download: { url, bytes: file.bytes, expiresAt: media.expiresAt } };
  };
  return [
    scoped(o.listRecordings, async ({ input, organization }) => {
      const { recordings: rows, total } = await recordings.listRecordings(organization, input);
      return { ...ok, recordings: rows, pagination: paginate(input, total) };
    }),
    scoped(o.fetchRecording, async ({ input, organization }) => ({
      ...ok,
      recording: await recordings.fetchRecording(organization, input.recordingId),
    })),
    scoped(o.openRecording, async ({ input, cookies, organization }) => {
      const { media, cookie, row } = await organization.change((c) =>
        openRecording(c, input.recordingId),
      );
      admit(cookies, row.id, cookie, media.expiresAt);
      return { ...ok, media: served(media) };
    }),
    scoped(o.downloadRecording, async (call) => {
      const { recordingId } = call.input;
      return answerFile(await call.organization.change((c) => openRecording(c, recordingId)), call);
    }),
    changing(o.renameRecording, ({ input }) => ({
      rule: (change) => recordings.renameRecording(change, input.recordingId, input.name),
      answer: (recording) => ({ ...ok, recording }),
    })),
    changing(o.deleteRecording, ({ input }) => ({
      rule: (change) => recordings.deleteRecording(change, input.recordingId),
      answer: () => ok,
    })),
    changing(o.createRecordingLink, ({ input }) => ({
      rule: (change) => createLink(change, input),
      answer: ({ link, code }) => ({
        ...ok,
        link: { ...link, url: `${config.publicUrl}/r/${code}` },
      }),
    })),
    scoped(o.listRecordingLinks, async ({ input, organization }) => ({
      ...ok,
      links: await listLinks(organization, input.recordingId),
    })),
    changing(o.revokeRecordingLink, ({ input }) => ({
      rule: (change) => revokeLink(change, input.linkId),
      answer: () => ok,
    })),
    open(o.openRecordingLink, async ({ input, cookies }) => {
      const { recordingId, cookie, recording, brand } = await openRecordingLink(
        database,
        input.code,
      );
      admit(cookies, recordingId, cookie, recording.media.expiresAt);
      return { ...ok, recording: { ...recording, media: served(recording.media) }, brand };
    }),
    open(o.downloadRecordingLink, async (call) =>
      answerFile(await openLinkedFile(database, call.input.code), call),
    ),
  ];
};
