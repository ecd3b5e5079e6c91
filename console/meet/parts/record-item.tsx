import { Menu } from "@mantine/core";
import { IconPlayerRecord, IconPlayerStop } from "@tabler/icons-react";
import type { View } from "../../../contract/meetings/socket.ts";
import { notify } from "../../kit/notices.tsx";
import { m } from "../../texts/meet.ts";
import { meeting } from "../connection.ts";

type Recorder = NonNullable<View["recorder"]>;

/** Ends the recording, and says where it is. */
const stop = async (state: Recorder["state"]): Promise<void> => {
  const isDone = await meeting.command("stopRecording", {});
  if (isDone && state === "active") notify({ text: m.controls.recordingKept });
};

/** Begins the recording, or ends it; says why it cannot begin. */
export const RecordItem = ({ recorder }: { readonly recorder: Recorder }) => {
  const { state, problem } = recorder;
  if (state !== "idle") {
    return (
      <Menu.Item leftSection={<IconPlayerStop size={18} />} onClick={() => void stop(state)}>
        {state === "queued" ? m.recording.cancel : m.recording.stop}
      </Menu.Item>
    );
  }
  if (problem === "recording_off") return null;
  const begin = () =>
    problem === null
      ? void meeting.command("startRecording", {})
      : notify({ text: m.recording.problems[problem], kind: "failed" });
  return (
    // Not disabled, so that keyboard and screen reader users can reach the reason too.
    <Menu.Item leftSection={<IconPlayerRecord size={18} />} onClick={begin}>
      {m.recording.start}
      {problem !== null && <div className="dimmed small">{m.recording.problems[problem]}</div>}
    </Menu.Item>
  );
};
