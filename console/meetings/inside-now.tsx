import { Button, Skeleton, Title } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { type MeetingNow, useMeetingNow } from "../data/meetings.ts";
import { parley, sayFailure } from "../kit/client.ts";
import { Confirm } from "../kit/confirm.tsx";
import { notify } from "../kit/notices.tsx";
import { showMoment } from "../kit/show.ts";
import { Failed } from "../kit/states.tsx";
import { Tag } from "../kit/tag.tsx";
import { useChange } from "../kit/use-change.ts";
import { t } from "../texts/index.ts";
import css from "./meetings.module.css";
import { RemovePerson } from "./remove-person.tsx";

type Peer = MeetingNow["peers"][number];
const ROLES = ["moderator", "participant", "viewer"] as const;

/** Acts in the meeting, and shows the result or the failure. */
const useAct = () => {
  const { mutateAsync, isPending } = useChange((act: () => Promise<unknown>) => act());
  const run = (act: () => Promise<unknown>, done?: string): void => {
    mutateAsync(act).then(
      () => done !== undefined && notify({ text: done }),
      (failure: unknown) => notify({ text: sayFailure(failure), kind: "failed" }),
    );
  };
  return { run, change: mutateAsync, busy: isPending };
};

const SmallButton = ({
  label,
  children,
  onClick,
  busy,
}: {
  readonly label: string;
  readonly children: ReactNode;
  readonly onClick: () => void;
  readonly busy: boolean;
}) => (
  <Button size="compact-sm" variant="default" aria-label={label} onClick={onClick} disabled={busy}>
    {children}
  </Button>
);

const connection = ({ quality, audio, video, share, hand }: Peer): string[] => {
  const texts = t.meetings.inside;
  return [
    ...(quality === null ? [] : [texts.quality[quality]]),
    audio ? texts.micOn : texts.micOff,
    video ? texts.cameraOn : texts.cameraOff,
    ...(share ? [texts.shares] : []),
    ...(hand ? [texts.handUp] : []),
  ];
};

const state = ({ state: now, since, mediaConnected }: Peer): string =>
  now === "inside"
    ? [
        t.meetings.inside.since(showMoment(since)),
        ...(mediaConnected === false ? [t.meetings.inside.unconnected] : []),
      ].join(" · ")
    : now === "away"
      ? t.meetings.inside.away
      : t.meetings.inside.claimed;

const PeerLine = ({ roomId, peer }: { readonly roomId: string; readonly peer: Peer }) => {
  const { run, change, busy } = useAct();
  const [removing, setRemoving] = useState(false);
  const { peerId, peerName, peerType, userId, audio } = peer;
  const texts = t.meetings.inside;
  return (
    <li>
      <span className={css.who}>
        <bdi>{peerName}</bdi>
        <span className="dimmed small">
          {t.meetings.roles[peerType]}
          {userId === null && ` · ${t.meetings.guest}`} · {state(peer)}
        </span>
        {peer.state === "inside" && (
          <span className="dimmed small">{connection(peer).join(" · ")}</span>
        )}
      </span>
      {audio && (
        <SmallButton
          label={texts.mutePerson(peerName)}
          busy={busy}
          onClick={() => run(() => parley.mutePeer({ roomId, peerId }), texts.muted(peerName))}
        >
          {texts.mute}
        </SmallButton>
      )}
      <SmallButton
        label={texts.removePerson(peerName)}
        busy={busy}
        onClick={() => setRemoving(true)}
      >
        {texts.remove}
      </SmallButton>
      {removing && (
        <RemovePerson
          name={peerName}
          onRemove={async (ban) => {
            await change(() => parley.removePeer({ roomId, peerId, ban }));
            notify({ text: texts.removed(peerName) });
          }}
          onClose={() => setRemoving(false)}
        />
      )}
    </li>
  );
};

const Waiting = ({
  roomId,
  meeting,
}: {
  readonly roomId: string;
  readonly meeting: MeetingNow;
}) => {
  const { run, busy } = useAct();
  const texts = t.meetings.inside;
  if (meeting.waiting.length === 0) return null;
  return (
    <>
      <Title order={3} size="h6" className={css.part ?? ""}>
        {texts.waiting}
      </Title>
      <ul className={css.people}>
        {meeting.waiting.map(({ peerId, peerName, since }) => (
          <li key={peerId}>
            <span className={css.who}>
              <bdi>{peerName}</bdi>
              <span className="dimmed small">{texts.since(showMoment(since))}</span>
            </span>
            <SmallButton
              label={texts.admitPerson(peerName)}
              busy={busy}
              onClick={() => run(() => parley.allowRoomJoin({ roomId, requesterPeerId: peerId }))}
            >
              {texts.admit}
            </SmallButton>
            <SmallButton
              label={texts.refusePerson(peerName)}
              busy={busy}
              onClick={() => run(() => parley.denyRoomJoin({ roomId, requesterPeerId: peerId }))}
            >
              {texts.refuse}
            </SmallButton>
          </li>
        ))}
      </ul>
    </>
  );
};

const Running = ({
  roomId,
  meeting,
}: {
  readonly roomId: string;
  readonly meeting: MeetingNow;
}) => {
  const { run, change, busy } = useAct();
  const [ending, setEnding] = useState(false);
  const texts = t.meetings.inside;
  const action = meeting.locked ? "unlock" : "lock";
  const onEntry = meeting.mutesEntry ? texts.allowOnEntry : texts.muteOnEntry;
  return (
    <>
      <div className={css.facts}>
        {ROLES.filter((role) => meeting.seats[role].allowed > 0).map((role) => (
          <span key={role}>
            {t.meetings.roles[role]}{" "}
            <b>{texts.seats(meeting.seats[role].taken, meeting.seats[role].allowed)}</b>
          </span>
        ))}
        {meeting.locked && <Tag tone="warn">{texts.locked}</Tag>}
        <span className={css.actions}>
          <SmallButton
            label={texts[action]}
            busy={busy}
            onClick={() => run(() => parley.lockRoom({ roomId, action }))}
          >
            {texts[action]}
          </SmallButton>
          {meeting.peers.some(({ audio }) => audio) && (
            <SmallButton
              label={texts.muteAll}
              busy={busy}
              onClick={() => run(() => parley.mutePeer({ roomId, all: true }), texts.allMuted)}
            >
              {texts.muteAll}
            </SmallButton>
          )}
          <SmallButton
            label={onEntry}
            busy={busy}
            onClick={() => run(() => parley.muteOnEntry({ roomId, on: !meeting.mutesEntry }))}
          >
            {onEntry}
          </SmallButton>
          <SmallButton label={texts.end} busy={busy} onClick={() => setEnding(true)}>
            {texts.end}
          </SmallButton>
        </span>
      </div>
      <ul className={css.people}>
        {meeting.peers.map((peer) => (
          <PeerLine key={peer.peerId} roomId={roomId} peer={peer} />
        ))}
      </ul>
      <Waiting roomId={roomId} meeting={meeting} />
      {ending && (
        <Confirm
          title={texts.endTitle}
          confirm={texts.end}
          danger
          onConfirm={async () => {
            await change(() => parley.closeRoom({ roomId }));
            notify({ text: texts.ended });
          }}
          onClose={() => setEnding(false)}
        >
          {texts.endHelp}
        </Confirm>
      )}
    </>
  );
};

interface InsideNowProps {
  readonly roomId: string;
  /** Shows nothing while nobody is inside, if the page is about something else. */
  readonly onlyInUse?: boolean;
}

/** The people inside a room, with a moderator's actions. */
export const InsideNow = ({ roomId, onlyInUse = false }: InsideNowProps) => {
  const { data: meeting, error, refetch } = useMeetingNow(roomId);
  if (onlyInUse && (meeting?.meetingId ?? null) === null) return null;
  return (
    <section className={`card ${css.panel}`} aria-labelledby="inside-now">
      <Title order={2} size="h5" id="inside-now">
        {t.meetings.inside.title}
      </Title>
      {error && !meeting ? (
        <Failed failure={error} retry={() => void refetch()} />
      ) : meeting === undefined ? (
        <Skeleton height={60} />
      ) : meeting.meetingId === null ? (
        <p className="dimmed small">{t.meetings.inside.nobody}</p>
      ) : (
        <Running roomId={roomId} meeting={meeting} />
      )}
    </section>
  );
};
