import { Switch } from "@mantine/core";
import { useState } from "react";
import { Confirm } from "../../kit/confirm.tsx";
import { Dialog } from "../../kit/dialog.tsx";
import { m } from "../../texts/meet.ts";
import { keep, kept } from "../call/kept.ts";
import { meeting } from "../connection.ts";
import { useEmbedding } from "../embed/embedding.ts";
import css from "../styles/room.module.css";
import { DevicesDialog } from "./device-fields.tsx";
import type { RoomDialog } from "./more-menu.tsx";
import { StreamDialog } from "./stream-dialog.tsx";
import { TranscribeDialog } from "./transcribe-dialog.tsx";
import { isHiddenKey, keys } from "./use-keys.ts";

const KeysDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const [isOn, setOn] = useState(kept().keys);
  const looks = useEmbedding();
  const shown = Object.entries(keys).filter(([key]) => !isHiddenKey(key, looks));
  return (
    <Dialog title={m.keys.title} onClose={onClose}>
      <p className="dimmed small">{m.keys.help}</p>
      <dl className={css.keys}>
        {shown.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <Switch
        label={m.keys.use}
        checked={isOn}
        onChange={(event) => {
          setOn(event.currentTarget.checked);
          keep({ keys: event.currentTarget.checked });
        }}
      />
    </Dialog>
  );
};

interface RoomDialogsProps {
  readonly dialog: RoomDialog;
  readonly onClose: () => void;
}

/** The dialogs that the bar opens. */
export const RoomDialogs = ({ dialog, onClose }: RoomDialogsProps) => {
  switch (dialog) {
    case "keys":
      return <KeysDialog onClose={onClose} />;
    case "devices":
      return <DevicesDialog onClose={onClose} />;
    case "stream":
      return <StreamDialog onClose={onClose} />;
    case "transcribe":
      return <TranscribeDialog onClose={onClose} />;
    case "end":
      return (
        <Confirm
          title={m.endForAll.title}
          confirm={m.bar.endForAll}
          danger
          onConfirm={() => meeting.send("closeRoom", {})}
          onClose={onClose}
        >
          {m.endForAll.help}
        </Confirm>
      );
    default:
      return null;
  }
};
