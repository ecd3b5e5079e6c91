import { Button, Group, TextInput } from "@mantine/core";
import { useState } from "react";
import { isVisible } from "../../../contract/kit/plain.ts";
import { codeIn, isLinkCode } from "../../../contract/kit/typed-code.ts";
import { base } from "../../kit/base.ts";
import { ParleyError, sayFailure } from "../../kit/client.ts";
import { useSession } from "../../kit/session.ts";
import { t } from "../../texts/index.ts";
import { m } from "../../texts/meet.ts";
import { openTyped, roomHere } from "../address.ts";
import { isPassing } from "../call/seat.ts";
import { Heading } from "../parts/heading.tsx";
import { MessageForm, MessagePage } from "../parts/message-page.tsx";
import { NextMeeting } from "../parts/next-date.tsx";
import { SignIn } from "../parts/sign-in.tsx";
import { useAgain } from "../parts/use-again.ts";

/** Links for a signed-in person on a page that ends here; nothing for guests. */
const OwnPlaces = () => {
  const session = useSession();
  if (session.state !== "signed in") return null;
  return (
    <Group gap="xs" mt="sm">
      <Button component="a" href={`${base}/rooms`} variant="default">
        {m.failed.myRooms}
      </Button>
      <Button component="a" href={`${base}/recordings`} variant="default">
        {m.failed.myRecordings}
      </Button>
    </Group>
  );
};

/**
 * The texts for a link that opens nothing; undefined if another try may help. The ID of a room opens it only to
 * people of its organization: whether there is such a room, its form does not tell.
 */
const textsFor = (code: string | undefined, isSignedIn: boolean) => {
  const room = roomHere();
  if (room === "") return { title: m.failed.noLink, help: m.failed.noLinkHelp };
  switch (code) {
    case "room_not_found":
    case "invalid_input":
      return isLinkCode(codeIn(room)) || isSignedIn
        ? { title: m.failed.notFound, help: m.failed.notFoundHelp }
        : { title: m.failed.askHost, help: m.failed.askHostHelp };
    case "link_ended":
      return { title: m.failed.linkEnded, help: m.failed.linkEndedHelp };
    default:
      return undefined;
  }
};

interface FailedPageProps {
  readonly failure: unknown;
  readonly retry: () => Promise<unknown>;
}

/** Where people type or paste the link that they have. */
const LinkField = () => {
  const [typed, setTyped] = useState("");
  return (
    <MessageForm onSubmit={() => isVisible(typed) && openTyped(typed)}>
      <TextInput
        label={m.failed.link}
        name="link"
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Button type="submit" fullWidth>
        {m.failed.open}
      </Button>
    </MessageForm>
  );
};

/** A link that cannot be opened: the reason, and what to do. */
export const FailedPage = ({ failure, retry }: FailedPageProps) => {
  const code = failure instanceof ParleyError ? failure.code : undefined;
  const isSignedIn = useSession().state === "signed in";
  const texts = textsFor(code, isSignedIn);
  const isUnknown = texts !== undefined && code !== "link_ended";
  useAgain(texts === undefined && isPassing(failure), retry);
  return (
    <MessagePage>
      <Heading>{texts?.title ?? m.failed.title}</Heading>
      <p className="dimmed" role="alert">
        {texts?.help ?? sayFailure(failure)}
      </p>
      {texts === undefined && <Button onClick={() => void retry()}>{t.actions.tryAgain}</Button>}
      {code === "link_ended" && <NextMeeting pageSaysHow />}
      {isUnknown && <LinkField />}
      <OwnPlaces />
      {/* A room's ID opens it to people of its organization. */}
      {isUnknown && <SignIn />}
    </MessagePage>
  );
};
