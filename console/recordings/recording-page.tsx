import { Button, Skeleton } from "@mantine/core";
import { IconMovie, IconPencil, IconShare, IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { Link, useNavigate, useParams, useSearchParams } from "react-router";
import css from "../columns/recordings.module.css";
import { addressOfRoom } from "../columns/room-columns.tsx";
import { RecordingStateTag } from "../columns/state-tags.tsx";
import { datedName, type RecordingRecord, useRecording } from "../data/recordings.ts";
import { useTranscript } from "../data/transcripts.ts";
import { ParleyError, parley } from "../kit/client.ts";
import facts from "../kit/facts.module.css";
import { NotFound } from "../kit/not-found.tsx";
import { PageHeader } from "../kit/page-header.tsx";
import { showBytes, showDuration, showMoment } from "../kit/show.ts";
import { Blank, Failed } from "../kit/states.tsx";
import { t } from "../texts/index.ts";
import { Transcript } from "../transcripts/transcript.tsx";
import { DownloadButton } from "./download-button.tsx";
import { play } from "./play.ts";
import { Player } from "./player.tsx";
import { type RecordingActions, useRecordingActions } from "./recording-actions.tsx";

const texts = t.recordings;

/** Renewal interval: well before the cookie that opens the files expires. */
const RENEW_MS = 45 * 60_000;

const Facts = ({ recording }: { readonly recording: RecordingRecord }) => {
  const { roomId, roomName, startedAt, seconds, bytes, startedBy } = recording;
  return (
    <div className={facts.line}>
      <RecordingStateTag recording={recording} />
      <Link to={addressOfRoom(roomId)}>
        <bdi>{roomName}</bdi>
      </Link>
      {startedAt !== null && <time dateTime={startedAt}>{showMoment(startedAt)}</time>}
      {seconds !== null && <span>{showDuration(seconds)}</span>}
      {bytes !== null && <span>{showBytes(bytes)}</span>}
      <span>{startedBy === "" ? texts.automatic : texts.by(startedBy)}</span>
    </div>
  );
};

interface ActionProps {
  readonly recording: RecordingRecord;
  readonly actions: RecordingActions;
}

const Buttons = ({ recording, actions }: ActionProps) => {
  const isReady = recording.state === "ready";
  return (
    <>
      {isReady && (
        <>
          <Button
            variant="default"
            leftSection={<IconShare size={16} />}
            onClick={() => actions.share(recording)}
          >
            {texts.share}
          </Button>
          <DownloadButton
            resolutions={recording.resolutions}
            isPreparing={actions.preparing !== undefined}
            onDownload={(resolution) => actions.download(recording, resolution)}
          />
        </>
      )}
      <Button
        variant="default"
        leftSection={<IconPencil size={16} />}
        onClick={() => actions.rename(recording)}
      >
        {texts.rename}
      </Button>
      {(isReady || recording.state === "failed") && (
        <Button
          variant="default"
          leftSection={<IconTrash size={16} />}
          onClick={() => actions.remove(recording)}
        >
          {texts.delete}
        </Button>
      )}
    </>
  );
};

const Playing = ({ recording }: { readonly recording: RecordingRecord }) => {
  const { recordingId, name, type, meetingId, seconds } = recording;
  const beside = { from: recording.startedAt ?? "", seconds: seconds ?? 0 };
  const [params] = useSearchParams();
  const player = useRef<HTMLMediaElement>(null);
  const { data: transcript } = useTranscript(meetingId, beside);
  const said = transcript?.spoken.length ? transcript : undefined;
  const opened = useQuery({
    queryKey: ["recording media", recordingId],
    queryFn: async () => (await parley.openRecording({ recordingId })).media,
    // The cookie is renewed during playback.
    refetchInterval: RENEW_MS,
    refetchIntervalInBackground: true,
    staleTime: RENEW_MS,
    gcTime: 0,
  });
  if (opened.data) {
    const onSeek = (second: number): void => {
      if (player.current === null) return;
      player.current.currentTime = second;
      play(player.current);
    };
    return (
      <>
        <Player
          name={name}
          type={type}
          player={player}
          media={opened.data}
          reopen={() => opened.refetch()}
          from={Math.max(0, Number(params.get("at")) || 0)}
          {...(said && { captions: said.webVtt })}
        />
        {said && (
          <section className={css.said} aria-label={t.transcripts.title}>
            <Transcript meetingId={meetingId} playing={{ ...beside, onSeek }} />
          </section>
        )}
      </>
    );
  }
  return opened.isError ? (
    <Failed failure={opened.error} retry={() => void opened.refetch()} />
  ) : (
    <Skeleton height={360} radius="md" />
  );
};

/** One recording: a player, and the actions for the recording. */
export const RecordingPage = () => {
  const { id = "" } = useParams();
  const navigate = useNavigate();
  const { data: recording, error, refetch } = useRecording(id);
  const actions = useRecordingActions(() => void navigate("/recordings"));
  if (recording === undefined) {
    if (error instanceof ParleyError && error.status === 404) return <NotFound />;
    return (
      <>
        <PageHeader title={texts.title} />
        {error ? (
          <div className="card">
            <Failed failure={error} retry={() => void refetch()} />
          </div>
        ) : (
          <Skeleton height={420} radius="md" />
        )}
      </>
    );
  }
  return (
    <>
      <PageHeader
        title={datedName(recording)}
        description={<Facts recording={recording} />}
        actions={<Buttons recording={recording} actions={actions} />}
      />
      <div className="card">
        {recording.state === "ready" ? (
          <Playing recording={recording} />
        ) : (
          <Blank
            icon={IconMovie}
            title={recording.state === "failed" ? texts.failed : texts.notReady}
          >
            {recording.state === "failed"
              ? recording.error && texts.errors[recording.error]
              : texts.notReadyHelp}
          </Blank>
        )}
      </div>
      {actions.dialogs}
    </>
  );
};
