import { NativeSelect } from "@mantine/core";
import { useState } from "react";
import { speechLanguages } from "../../../contract/kit/speech-languages.ts";
import { Confirm } from "../../kit/confirm.tsx";
import { speechChoices } from "../../kit/speech-choices.ts";
import { t } from "../../texts/index.ts";
import { m } from "../../texts/meet.ts";
import { keep, kept } from "../call/kept.ts";
import { meeting, useMeeting } from "../connection.ts";

/** Asks in which language people speak, and begins the transcription. */
export const TranscribeDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const usual = useMeeting().invitation?.speechLanguage ?? "";
  const [chosen, setChosen] = useState(kept().speechLanguage || usual);
  // null: the engine detects it, whatever is usual.
  const language = speechLanguages.find((tag) => tag === chosen) ?? null;
  return (
    <Confirm
      title={m.live.startTranscription}
      confirm={m.live.transcribe}
      onConfirm={async () => {
        await meeting.send("startTranscription", { language });
        keep({ speechLanguage: chosen });
      }}
      onClose={onClose}
    >
      <NativeSelect
        label={m.live.language}
        description={m.live.languageHelp}
        value={chosen}
        onChange={(event) => setChosen(event.currentTarget.value)}
        data={[{ value: "", label: t.settings.speechDetected }, ...speechChoices]}
      />
    </Confirm>
  );
};
