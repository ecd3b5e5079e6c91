import { Button, Group, Stack, TextInput } from "@mantine/core";
import { type ReactNode, useId, useState } from "react";
import { asLine, isVisible } from "../../contract/kit/plain.ts";
import { RECORDING_NAME } from "../../contract/recordings/record.ts";
import { downloadFile, type RecordingRecord, type Resolution } from "../data/recordings.ts";
import { parley, sayFailure } from "../kit/client.ts";
import { Confirm } from "../kit/confirm.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { notify } from "../kit/notices.tsx";
import { useChange } from "../kit/use-change.ts";
import { useClosing } from "../kit/use-closing.ts";
import { t } from "../texts/index.ts";
import { ShareDialog } from "./share-dialog.tsx";

const texts = t.recordings;

interface DialogProps {
  readonly recording: RecordingRecord;
  readonly onClose: () => void;
}

const RenameDialog = ({ recording, onClose }: DialogProps) => {
  const rename = useChange(parley.renameRecording);
  const [name, setName] = useState(recording.name);
  const form = useId();
  const save = async (): Promise<void> => {
    await rename.mutateAsync({ recordingId: recording.recordingId, name: asLine(name) });
    notify({ text: texts.renamed });
  };
  const { run, close } = useClosing(save, { onClose });
  return (
    <Dialog title={texts.renameTitle} onClose={close}>
      <form
        id={form}
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <Stack gap="md">
          <TextInput
            label={texts.newName}
            value={name}
            maxLength={RECORDING_NAME}
            error={rename.isError ? sayFailure(rename.error) : undefined}
            onChange={(event) => setName(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={close}>
              {t.actions.cancel}
            </Button>
            <Button type="submit" loading={rename.isPending} disabled={!isVisible(name)}>
              {t.actions.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
};

/** The actions for recordings, with their dialogs. */
export interface RecordingActions {
  /** In the largest size, unless another one is given. */
  readonly download: (recording: RecordingRecord, resolution?: Resolution) => void;
  /** The ID of the recording whose file is being made. */
  readonly preparing: string | undefined;
  readonly share: (recording: RecordingRecord) => void;
  readonly rename: (recording: RecordingRecord) => void;
  readonly remove: (recording: RecordingRecord) => void;
  readonly dialogs: ReactNode;
}

export const useRecordingActions = (onDeleted: () => void = () => {}): RecordingActions => {
  const [open, setOpen] = useState<{
    readonly what: "share" | "rename" | "remove";
    readonly recording: RecordingRecord;
  }>();
  const [preparing, setPreparing] = useState<string>();
  const remove = useChange(
    parley.deleteRecording,
    ([kind, id]) => `${kind}`.startsWith("recording") && id === open?.recording.recordingId,
  );
  const onClose = () => setOpen(undefined);

  const download = async (
    { recordingId }: RecordingRecord,
    resolution?: Resolution,
  ): Promise<void> => {
    setPreparing(recordingId);
    try {
      await downloadFile(() => parley.downloadRecording({ recordingId, resolution }));
    } catch (failure) {
      notify({ text: sayFailure(failure), kind: "failed" });
    } finally {
      setPreparing(undefined);
    }
  };

  return {
    download: (recording, resolution) => void download(recording, resolution),
    preparing,
    share: (recording) => setOpen({ what: "share", recording }),
    rename: (recording) => setOpen({ what: "rename", recording }),
    remove: (recording) => setOpen({ what: "remove", recording }),
    dialogs: open && (
      <>
        {open.what === "share" && <ShareDialog recording={open.recording} onClose={onClose} />}
        {open.what === "rename" && <RenameDialog recording={open.recording} onClose={onClose} />}
        {open.what === "remove" && (
          <Confirm
            title={texts.deleteTitle}
            confirm={texts.delete}
            danger
            onConfirm={async () => {
              const { recordingId, name } = open.recording;
              await remove.mutateAsync({ recordingId });
              notify({ text: texts.deleted(name) });
              onDeleted();
            }}
            onClose={onClose}
          >
            <p>
              <strong>
                <bdi>{open.recording.name}</bdi>
              </strong>
            </p>
            {texts.deleteHelp}
          </Confirm>
        )}
      </>
    ),
  };
};
