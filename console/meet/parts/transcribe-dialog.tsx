import { NativeSelect } from "@mantine/core";
import { useState } from "react";
import { speechLanguages } from "../../../contract/meetings/speech-languages.ts";
import { Confirm } from "../../kit/confirm.tsx";
import { showLanguage } from "../../kit/show.ts";
import { m } from "../../texts/meet.ts";
import { keep, kept } from "../call/kept.ts";
import { meeting } from "../connection.ts";

const named = speechLanguages
  .map((value) => ({ value, label: showLanguage(value) }))
  .toSorted((one, other) => one.label.localeCompare(other.label, document.documentElement.lang));

/** Asks in which language people speak, and begins the transcription. */
export const TranscribeDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const [chosen, setChosen] = useState(kept().speechLanguage);
  const language = speechLanguages.find((tag) => tag === chosen);
  return (
    <Confirm
      title={m.live.startTranscription}
      confirm={m.live.transcribe}
      onConfirm={async () => {
        await meeting.send("startTranscription", { ...(language && { language }) });
        keep({ speechLanguage: chosen });
      }}
      onClose={onClose}
    >
      <NativeSelect
        label={m.live.language}
        description={m.live.languageHelp}
        value={chosen}
        onChange={(event) => setChosen(event.currentTarget.value)}
        data={[{ value: "", label: m.live.detected }, ...named]}
      />
    </Confirm>
  );
};
