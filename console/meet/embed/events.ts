import { newerThan } from "../../../contract/meeting-client.ts";
import type { Peer, View } from "../../../contract/meetings/socket.ts";
import type { EmbeddedEvent, EmbeddedPerson } from "../../embed/protocol.ts";
import type { Device, OwnMedia } from "../call/own-media.ts";
import type { Meeting } from "../call/state.ts";
import { tellFailure } from "./failures.ts";

/** The meeting and this person's devices at one moment. */
export interface Moment {
  readonly meeting: Meeting;
  readonly own: OwnMedia;
}

const personOf = ({ peerId, peerName, peerType }: EmbeddedPerson): EmbeddedPerson => ({
  peerId,
  peerName,
  peerType,
});

/** The devices of one person that are on. */
interface OnOff extends Pick<Peer, "audio" | "video" | "share"> {
  readonly peerId: string;
  readonly you: boolean;
  readonly up: boolean;
}

const onOffOf = ({ you, peers }: View, { audio, video, share }: OwnMedia): readonly OnOff[] => [
  {
    peerId: you.peerId,
    you: true,
    audio: audio !== null,
    video: video !== null,
    share: share !== null,
    up: you.hand !== null,
  },
  ...peers.map(({ peerId, hand, ...on }) => ({ ...on, peerId, you: false, up: hand !== null })),
];

const switched = (before: OnOff, now: OnOff): readonly EmbeddedEvent[] => {
  const who = { peerId: now.peerId, you: now.you };
  const events: EmbeddedEvent[] = [];
  if (before.audio !== now.audio)
    events.push({ name: now.audio ? "unmuted" : "muted", detail: who });
  if (before.video !== now.video)
    events.push({ name: "camera", detail: { ...who, on: now.video } });
  if (before.share !== now.share) events.push({ name: "share", detail: { ...who, on: now.share } });
  if (before.up !== now.up) events.push({ name: "hand", detail: { ...who, up: now.up } });
  return events;
};

const joined = (view: View, { audio, video }: OwnMedia): EmbeddedEvent => ({
  name: "joined",
  detail: {
    meetingId: view.meeting.meetingId,
    roomName: view.room.name,
    you: personOf(view.you),
    peers: view.peers.map(personOf),
    microphone: audio !== null,
    camera: video !== null,
    recording: view.meeting.recording,
  },
});

const peopleOf = (before: View, now: View): readonly EmbeddedEvent[] => {
  const without = (list: readonly Peer[], other: readonly Peer[]) =>
    list.filter(({ peerId }) => !other.some((one) => one.peerId === peerId)).map(personOf);
  return [
    ...without(now.peers, before.peers).map((detail) => ({ name: "peer-joined", detail }) as const),
    ...without(before.peers, now.peers).map((detail) => ({ name: "peer-left", detail }) as const),
  ];
};

const messages = (before: Meeting, now: Meeting): readonly EmbeddedEvent[] =>
  now.chat === before.chat
    ? []
    : newerThan(before.chat, now.chat).map(({ peerId, peerName, text, sentAt }) => {
        const you = peerId === now.view?.you.peerId;
        return { name: "message", detail: { peerId, you, peerName, text, sentAt } } as const;
      });

const inside = (
  before: Moment & { readonly meeting: { readonly view: View } },
  now: Moment & { readonly meeting: { readonly view: View } },
): readonly EmbeddedEvent[] => {
  const [wasView, view] = [before.meeting.view, now.meeting.view];
  const was = onOffOf(wasView, before.own);
  const { recording } = view.meeting;
  return [
    ...peopleOf(wasView, view),
    ...onOffOf(view, now.own).flatMap((one) => {
      const same = was.find(({ peerId }) => peerId === one.peerId);
      return same ? switched(same, one) : [];
    }),
    ...messages(before.meeting, now.meeting),
    ...(recording === wasView.meeting.recording
      ? []
      : [{ name: "recording", detail: { on: recording } } as const]),
  ];
};

const ending = (before: Meeting, { stage }: Meeting): readonly EmbeddedEvent[] => {
  if (stage.name !== "ended" || before.stage.name === "ended") return [];
  const { reason } = stage;
  const left = { name: "left", detail: { reason } } as const;
  return reason === "closed" || reason === "room_deleted"
    ? [left, { name: "ended", detail: { reason } }]
    : [left];
};

const devices = { audio: "microphone", video: "camera" } as const;

const errors = (before: Moment, now: Moment): readonly EmbeddedEvent[] => {
  const { stage, failure } = now.meeting;
  const events: EmbeddedEvent[] = [];
  if (stage.name === "failed" && before.meeting.stage !== stage)
    events.push({ name: "error", detail: tellFailure(stage.failure) });
  if (failure !== undefined && before.meeting.failure !== failure)
    events.push({ name: "error", detail: tellFailure(failure) });
  for (const device of Object.keys(devices) as Device[]) {
    const code = now.own.problems[device];
    if (code !== undefined && before.own.problems[device] !== code)
      events.push({ name: "error", detail: { code, message: code, device: devices[device] } });
  }
  return events;
};

/** The part of a change that the page around this one may know. */
export const eventsBetween = (before: Moment, now: Moment): readonly EmbeddedEvent[] => {
  const [wasView, view] = [before.meeting.view, now.meeting.view];
  const changes =
    view === undefined
      ? []
      : wasView === undefined
        ? [joined(view, now.own)]
        : inside(
            { ...before, meeting: { ...before.meeting, view: wasView } },
            { ...now, meeting: { ...now.meeting, view } },
          );
  return [...changes, ...ending(before.meeting, now.meeting), ...errors(before, now)];
};
