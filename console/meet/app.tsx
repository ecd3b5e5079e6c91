import { GuestLinks, useAccent } from "../kit/brand.tsx";
import { LinkByHand } from "../kit/copy-link.tsx";
import { Notices } from "../kit/notices.tsx";
import { renew, useSession } from "../kit/session.ts";
import { Themed } from "../kit/themed.tsx";
import { t } from "../texts/index.ts";
import { m } from "../texts/meet.ts";
import { meeting, useMeeting } from "./connection.ts";
import { useEmbedding } from "./embed/embedding.ts";
import { BeforePage } from "./pages/before.tsx";
import { EndedPage } from "./pages/ended.tsx";
import { FailedPage } from "./pages/failed.tsx";
import { LobbyPage } from "./pages/lobby.tsx";
import { RoomPage } from "./pages/room.tsx";
import { WatchingPage } from "./pages/watching.tsx";
import { Announcer } from "./parts/announcer.tsx";
import { Heading } from "./parts/heading.tsx";
import { MessagePage } from "./parts/message-page.tsx";

/** After a reload: the page returns to its meeting by itself. */
const ReturningPage = () => {
  const { invitation } = useMeeting();
  return (
    <MessagePage waits room={invitation?.name}>
      <Heading>{m.returning.title}</Heading>
      <p className="dimmed" role="status">
        {m.returning.help}
      </p>
    </MessagePage>
  );
};

const Stage = () => {
  const { stage, invitation, view } = useMeeting();
  const session = useSession();
  if (session.state === "unreachable") {
    return <FailedPage failure={new TypeError()} retry={() => renew()} />;
  }
  switch (stage.name) {
    case "loading":
      return <div role="status" aria-label={t.states.loading} />;
    case "failed":
      return <FailedPage failure={stage.failure} retry={() => meeting.load()} />;
    case "returning":
      return <ReturningPage />;
    case "lobby":
      return <LobbyPage {...stage} />;
    case "ended":
      return <EndedPage reason={stage.reason} message={stage.message} />;
    case "watching":
      return <WatchingPage roomName={stage.roomName} playlist={stage.playlist} />;
    case "inside":
    case "reconnecting":
      return view && <RoomPage view={view} isLost={stage.name === "reconnecting"} />;
    default:
      return invitation && <BeforePage invitation={invitation} />;
  }
};

/** The looks of the room's organization; inside, its links are in the menu. */
const Organization = () => {
  const { stage, invitation } = useMeeting();
  useAccent(invitation?.brand.accentColor);
  const isInside = stage.name === "inside" || stage.name === "reconnecting";
  return isInside ? null : <GuestLinks brand={invitation?.brand} />;
};

export const MeetApp = () => {
  const { theme } = useEmbedding();
  return (
    <Themed scheme={theme === "auto" ? undefined : theme}>
      <Stage />
      <Organization />
      <Announcer />
      <LinkByHand />
      <Notices />
    </Themed>
  );
};
