import { Button } from "@mantine/core";
import { IconVolume } from "@tabler/icons-react";
import { useState } from "react";
import { m } from "../../texts/meet.ts";
import { playTones } from "../call/tones.ts";
import { useOwnMedia } from "../connection.ts";

/** Plays three tones through the chosen speaker. */
export const SpeakerTest = () => {
  const { speaker } = useOwnMedia();
  const [state, setState] = useState<"idle" | "playing" | "failed">("idle");
  const test = async (): Promise<void> => {
    setState("playing");
    try {
      await playTones(speaker);
    } catch {
      setState("failed");
    }
  };
  return (
    <div>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconVolume size={16} />}
        onClick={() => void test()}
      >
        {m.controls.testSpeaker}
      </Button>
      <p className="dimmed small" role="status">
        {state === "playing" && m.controls.testing}
        {state === "failed" && m.controls.untested}
      </p>
    </div>
  );
};
