import { Button, Title } from "@mantine/core";
import {
  IconHandStop,
  IconMicrophone,
  IconMicrophoneOff,
  IconPlugConnectedX,
  IconScreenShare,
  IconVideo,
  IconVideoOff,
  IconWifiOff,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Peer, View } from "../../../contract/meetings/socket.ts";
import { m } from "../../texts/meet.ts";
import { handPlaces, handsUp, onlyWatches, sayHand } from "../call/hands.ts";
import { seesEverybody } from "../call/media.ts";
import { personInk } from "../call/person-color.ts";
import { comesFrom } from "../call/silence.ts";
import { isDown, type WayState } from "../call/way.ts";
import { meeting, useMeeting, useOwnMedia } from "../connection.ts";
import css from "../styles/panel.module.css";
import { AnswerButton } from "./answer-button.tsx";
import { PanelFrame } from "./panel.tsx";
import { PeerMenu } from "./peer-menu.tsx";
import { QualityBars } from "./quality-bars.tsx";

interface SectionProps {
  readonly title: string;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

const Section = ({ title, action, children }: SectionProps) => (
  <section className={css.section}>
    <div className={css.sectionHead}>
      <Title order={3} size="h6">
        {title}
      </Title>
      {action}
    </div>
    <ul className={css.people}>{children}</ul>
  </section>
);

/** The two answers to a request. */
const Asking = ({
  name,
  isAway = false,
  yes,
  no,
}: {
  readonly name: string;
  readonly isAway?: boolean;
  readonly yes: { readonly text: string; readonly label: string; readonly run: () => unknown };
  readonly no: { readonly text: string; readonly label: string; readonly run: () => unknown };
}) => (
  <li className={css.person}>
    <span className={css.who}>
      <bdi>{name}</bdi>
      {isAway && <span className="dimmed small">{m.stage.away}</span>}
    </span>
    <AnswerButton text={yes.text} label={yes.label} onAnswer={yes.run} />
    <AnswerButton variant="default" text={no.text} label={no.label} onAnswer={no.run} />
  </li>
);

const WaitingPeople = ({ view: { waiting } }: { readonly view: View }) =>
  waiting.length > 0 && (
    <Section
      title={`${m.people.waiting} (${waiting.length})`}
      action={
        waiting.length > 1 && (
          <AnswerButton
            variant="default"
            text={m.people.admitAll}
            onAnswer={() => meeting.command("allowRoomJoin", { all: true })}
          />
        )
      }
    >
      {waiting.map(({ peerId: requesterPeerId, peerName, away }) => (
        <Asking
          key={requesterPeerId}
          name={peerName}
          isAway={away}
          yes={{
            text: m.people.admit,
            label: m.people.admitWho(peerName),
            run: () => meeting.command("allowRoomJoin", { requesterPeerId }),
          }}
          no={{
            text: m.people.deny,
            label: m.people.denyWho(peerName),
            run: () => meeting.command("denyRoomJoin", { requesterPeerId }),
          }}
        />
      ))}
    </Section>
  );

const Requests = ({ view: { upgrades, peers } }: { readonly view: View }) => {
  const asked = upgrades.flatMap(({ peerId, state }) => {
    const peer = peers.find((one) => one.peerId === peerId);
    return state === "asked" && peer ? [peer] : [];
  });
  if (asked.length === 0) return null;
  return (
    <Section title={m.people.requests}>
      {asked.map(({ peerId, peerName }) => (
        <Asking
          key={peerId}
          name={peerName}
          yes={{
            text: m.people.accept,
            label: m.people.acceptWho(peerName),
            run: () => meeting.command("upgradeRequest", { peerId, action: "accept" }),
          }}
          no={{
            text: m.people.refuse,
            label: m.people.refuseWho(peerName),
            run: () => meeting.command("upgradeRequest", { peerId, action: "refuse" }),
          }}
        />
      ))}
    </Section>
  );
};

type Shown = Pick<
  Peer,
  | (
      | "peerId"
      | "peerName"
      | "peerType"
      | "guest"
      | "away"
      | "audio"
      | "video"
      | "share"
      | "quality"
    )
  | "secondDevice"
> & {
  readonly isUp: boolean;
  readonly place: number | undefined;
  readonly way: WayState | undefined;
  /** They have neither a microphone nor a camera here. */
  readonly watches: boolean;
};

const DeviceStates = ({ peer }: { readonly peer: Pick<Peer, "audio" | "video"> }) => (
  <>
    {peer.audio ? (
      <IconMicrophone size={17} aria-hidden />
    ) : (
      <IconMicrophoneOff size={17} role="img" aria-label={m.stage.muted} />
    )}
    {peer.video ? <IconVideo size={17} aria-hidden /> : <IconVideoOff size={17} aria-hidden />}
  </>
);

const PersonLine = ({
  peer,
  note,
  menu,
}: {
  readonly peer: Shown;
  readonly note?: string | undefined;
  readonly menu?: ReactNode;
}) => {
  const about = [
    m.roles[peer.peerType],
    peer.guest ? m.people.guest : undefined,
    peer.secondDevice ? m.second.note : undefined,
    note,
  ];
  return (
    <li className={css.person}>
      <span className={css.who}>
        <bdi style={{ color: personInk(peer.peerId) }}>{peer.peerName}</bdi>
        <span className="dimmed small">{about.filter(Boolean).join(" · ")}</span>
      </span>
      <span className={css.states}>
        {peer.away ? (
          <IconWifiOff size={17} role="img" aria-label={m.stage.away} />
        ) : (
          isDown(peer.way) && (
            <IconPlugConnectedX size={17} role="img" aria-label={m.stage.unconnected} />
          )
        )}
        {peer.quality && <QualityBars quality={peer.quality} size={17} />}
        {peer.isUp && (
          <span className={css.hand} role="img" aria-label={sayHand(peer.place)}>
            <IconHandStop size={17} aria-hidden />
            {peer.place}
          </span>
        )}
        {peer.share && <IconScreenShare size={17} role="img" aria-label={m.stage.sharing} />}
        {!peer.watches && <DeviceStates peer={peer} />}
      </span>
      {menu}
    </li>
  );
};

interface SelfProps extends Pick<View, "you"> {
  readonly place: number | undefined;
  readonly watches: boolean;
}

const Self = ({ you, place, watches }: SelfProps) => {
  const own = useOwnMedia();
  const { ownWay, ownQuality } = useMeeting();
  return (
    <PersonLine
      peer={{
        peerId: you.peerId,
        peerName: m.people.you(you.peerName),
        peerType: you.peerType,
        guest: false,
        away: false,
        ...comesFrom(own),
        share: own.share !== null,
        isUp: you.hand !== null,
        place,
        way: ownWay,
        watches,
        quality: ownQuality?.level ?? null,
        secondDevice: you.secondDevice,
      }}
    />
  );
};

/** The people inside, those who wait and those who ask, with a moderator's actions. */
export const PeoplePanel = ({ view }: { readonly view: View }) => {
  const { you, room, peers, allowed, upgrades } = view;
  const { people } = useMeeting();
  const isOffered = (peer: Peer) =>
    upgrades.some(({ peerId, state }) => peerId === peer.peerId && state === "offered");
  const places = handPlaces(view);
  const everybody = [you, ...peers];
  const hands = handsUp(view);
  const isLowered = ({ hand }: Pick<Peer, "hand">) => hand === null;
  const raised = hands.flatMap((id) => everybody.filter(({ peerId }) => peerId === id));
  const viewers = everybody.filter((one) => onlyWatches(room, one));
  const inside = everybody.filter((one) => !onlyWatches(room, one));
  const line = (one: Peer | View["you"]) =>
    "since" in one ? (
      <PersonLine
        key={one.peerId}
        peer={{
          ...one,
          isUp: one.hand !== null,
          place: places.get(one.peerId),
          // The engine announces nobody who only watches, so the page does not know whether they are connected.
          way: onlyWatches(room, one) ? undefined : people.get(one.peerId)?.link,
          watches: onlyWatches(room, one),
        }}
        note={isOffered(one) ? m.people.offered : undefined}
        menu={allowed.moderate && <PeerMenu peer={one} isOffered={isOffered(one)} />}
      />
    ) : (
      <Self
        key={one.peerId}
        you={one}
        place={places.get(one.peerId)}
        watches={onlyWatches(room, one)}
      />
    );
  return (
    <PanelFrame title={m.people.title} close={m.people.close}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard */}
      <section className={css.list} tabIndex={0} aria-label={m.people.title}>
        {allowed.moderate && (
          <>
            <WaitingPeople view={view} />
            <Requests view={view} />
          </>
        )}
        {raised.length > 0 && (
          <Section title={`${m.people.hands} (${raised.length})`}>{raised.map(line)}</Section>
        )}
        <Section
          title={`${seesEverybody(view) ? m.people.inside : m.people.seen} (${inside.length})`}
          action={
            allowed.moderate &&
            peers.some(({ audio }) => audio) && (
              <Button
                size="compact-sm"
                variant="default"
                onClick={() => void meeting.command("mutePeer", { all: true })}
              >
                {m.people.muteAll}
              </Button>
            )
          }
        >
          {inside.filter(isLowered).map(line)}
        </Section>
        {viewers.length > 0 && (
          <Section title={`${m.people.viewers} (${viewers.length})`}>
            {viewers.filter(isLowered).map(line)}
          </Section>
        )}
      </section>
    </PanelFrame>
  );
};
