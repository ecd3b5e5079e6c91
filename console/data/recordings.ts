import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Input, Reply } from "../../contract/kit/operation.ts";
import type {
  downloadRecording,
  listRecordings,
  RecordingMedia,
} from "../../contract/recordings/library.ts";
import type { RecordingRecord } from "../../contract/recordings/record.ts";
import { parley } from "../kit/client.ts";
import { showDay, showRow } from "../kit/show.ts";

export type { RecordingMedia, RecordingRecord };

/** The name of a recording, with the day on which it began. */
export const datedName = ({
  name,
  startedAt,
}: Pick<RecordingRecord, "name" | "startedAt">): string =>
  startedAt === null ? name : showRow([name, showDay(startedAt)]);

/** States of recordings change by themselves, so an open list is loaded again. */
const LOOK_MS = 5_000;

const isBeingMade = ({ state }: RecordingRecord): boolean =>
  state !== "ready" && state !== "failed";

export const useRecordings = (asked: Input<typeof listRecordings>) =>
  useQuery({
    queryKey: ["recordings", asked],
    queryFn: ({ signal }) => parley.listRecordings(asked, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 2 * LOOK_MS,
  });

export const useRecording = (recordingId: string) =>
  useQuery({
    queryKey: ["recording", recordingId],
    queryFn: async ({ signal }) =>
      (await parley.fetchRecording({ recordingId }, { signal })).recording,
    refetchInterval: ({ state }) => state.data && isBeingMade(state.data) && LOOK_MS,
  });

export const useLinks = (recordingId: string) =>
  useQuery({
    queryKey: ["recording links", recordingId],
    queryFn: async ({ signal }) =>
      (await parley.listRecordingLinks({ recordingId }, { signal })).links,
  });

/** How often the page checks whether a file is ready. */
const ASK_MS = 1_000;

/** A size of a recording. */
export type Resolution = RecordingRecord["resolutions"][number];

/**
 * Downloads a recording as one file; waits until that file is made.
 *
 * @param ask requests the file's address
 */
export const downloadFile = async (
  ask: () => Promise<Pick<Reply<typeof downloadRecording>, "download">>,
): Promise<void> => {
  for (;;) {
    const { download } = await ask();
    if (download !== null) {
      const link = document.createElement("a");
      link.href = download.url;
      link.download = "";
      link.click();
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, ASK_MS));
  }
};
