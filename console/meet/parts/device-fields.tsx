import { Alert, NativeSelect, Stack } from "@mantine/core";
import { Fragment, type ReactNode } from "react";
import { Dialog } from "../../kit/dialog.tsx";
import { m } from "../../texts/meet.ts";
import { choose, type Device } from "../call/own-media.ts";
import { useOwnMedia } from "../connection.ts";
import { LevelBar } from "./level-bar.tsx";
import { SpeakerTest } from "./speaker-test.tsx";

const fields = [
  { which: "microphone", kind: "audioinput" },
  { which: "camera", kind: "videoinput" },
  { which: "speaker", kind: "audiooutput" },
] as const;

/**
 * Choices of microphone, camera and speaker, for each kind that exists.
 *
 * @param level shown below the microphone
 */
export const DeviceFields = ({ level }: { readonly level?: ReactNode }) => {
  const own = useOwnMedia();
  return (
    <Stack gap="sm">
      {fields.map(({ which, kind }) => {
        const found = own.devices.filter((device) => device.kind === kind);
        if (found.length === 0) return null;
        const isKnown = found.some(({ deviceId }) => deviceId === own[which]);
        return (
          <Fragment key={which}>
            <NativeSelect
              label={m.devices[which]}
              value={isKnown ? own[which] : ""}
              onChange={(event) => void choose(which, event.currentTarget.value)}
              data={[
                ...(isKnown ? [] : [{ value: "", label: m.devices.usual }]),
                ...found.map(({ deviceId, label }, index) => ({
                  value: deviceId,
                  label: label || m.devices.unnamed(index + 1),
                })),
              ]}
            />
            {which === "microphone" && level}
          </Fragment>
        );
      })}
      <SpeakerTest />
    </Stack>
  );
};

const both = ["audio", "video"] as const;
const sharedTexts: { readonly [problem in string]?: string } = m.devices.problems.both;

/**
 * Why a device does not work, and the remedy: said once if it concerns both.
 *
 * @param isAllowed the devices in question
 */
export const useDeviceProblems = (isAllowed: (device: Device) => boolean = () => true) => {
  const { problems } = useOwnMedia();
  const found = both.flatMap((device) => {
    const problem = problems[device];
    return problem && isAllowed(device) ? [{ device, problem }] : [];
  });
  const [first, second] = found;
  const shared = first?.problem === second?.problem && first && sharedTexts[first.problem];
  if (shared) return [{ devices: both, text: shared }];
  return found.map(({ device, problem }) => ({
    devices: [device],
    text: m.devices.problems[device][problem],
  }));
};

/** Why nothing comes from each device that is on, and what to do. */
export const useSilentDevices = () => {
  const { audio, video } = useOwnMedia().silent;
  const texts = m.devices.silent;
  return [...(audio ? [texts.audio[audio]] : []), ...(video ? [texts.video[video]] : [])];
};

/** Both, before one enters. */
export const DeviceProblems = () =>
  [...useDeviceProblems().map(({ text }) => text), ...useSilentDevices()].map((text) => (
    <Alert key={text} color="orange" variant="light" role="status">
      {text}
    </Alert>
  ));

/** The devices of this person, with the level of the microphone and a test of the speaker. */
export const DevicesDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const { audio } = useOwnMedia();
  return (
    <Dialog title={m.devices.title} onClose={onClose}>
      <DeviceProblems />
      <DeviceFields
        level={
          audio ? <LevelBar track={audio} /> : <p className="dimmed small">{m.controls.noLevel}</p>
        }
      />
    </Dialog>
  );
};
