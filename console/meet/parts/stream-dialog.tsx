import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { Confirm } from "../../kit/confirm.tsx";
import { copyUrl } from "../../kit/copy-link.tsx";
import { Dialog } from "../../kit/dialog.tsx";
import { notify } from "../../kit/notices.tsx";
import { m } from "../../texts/meet.ts";
import { linkFor } from "../call/seat.ts";
import { meeting, useMeeting } from "../connection.ts";

const texts = m.controls.stream;

/** The address that viewers open. */
const ViewersLink = ({ onClose }: { readonly onClose: () => void }) => {
  const { view } = useMeeting();
  const [link, setLink] = useState("");
  const room = view?.room;
  useEffect(() => {
    if (room) void linkFor(room).then(setLink);
  }, [room]);
  const isSent = view?.meeting.liveStream?.kind === "rtmp";
  return (
    <Dialog title={texts.begins} onClose={onClose}>
      <Stack gap="md">
        <p>{isSent ? texts.sentBegins : texts.link}</p>
        {!isSent && <TextInput label={texts.linkTitle} value={link} readOnly />}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {texts.close}
          </Button>
          {!isSent && (
            <Button
              disabled={link === ""}
              onClick={() =>
                void copyUrl(link).then((done) => done && notify({ text: m.bar.linkCopied }))
              }
            >
              {texts.copy}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
};

/** Asks once whether the meeting is streamed, begins it, and shows where people watch. */
export const StreamDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const [hasBegun, setBegun] = useState(false);
  /** Set before the question closes, which it does once the stream has begun. */
  const begun = useRef(false);
  if (hasBegun) return <ViewersLink onClose={onClose} />;
  return (
    <Confirm
      title={texts.title}
      confirm={m.live.start}
      onConfirm={async () => {
        await meeting.send("startStream", {});
        begun.current = true;
      }}
      onClose={() => (begun.current ? setBegun(true) : onClose())}
    >
      {texts.help}
    </Confirm>
  );
};
