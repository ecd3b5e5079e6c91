import { Switch } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { parley, sayFailure } from "../kit/client.ts";
import { notify } from "../kit/notices.tsx";
import { useChange } from "../kit/use-change.ts";
import { t } from "../texts/index.ts";

const texts = t.rooms.door;

interface WaitsSwitchProps {
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onChange: (waits: boolean) => void;
}

/** Returns whether guests wait for a host, in the form of a new room. */
export const WaitsSwitch = ({ checked, disabled = false, onChange }: WaitsSwitchProps) => (
  <Switch
    label={texts.waits}
    description={texts.waitsHelp}
    checked={checked}
    disabled={disabled}
    onChange={(event) => onChange(event.currentTarget.checked)}
  />
);

/** Returns whether guests of a room wait for a host. */
export const useDoor = (roomId: string | undefined) =>
  useQuery({
    queryKey: ["door", roomId],
    queryFn: ({ signal }) => parley.roomDoor({ roomId: roomId ?? "" }, { signal }),
    enabled: roomId !== undefined,
  });

/** The same for a room that there is: it counts at once, because it stands beside the room's settings. */
export const DoorSwitch = ({ roomId }: { readonly roomId: string }) => {
  const door = useDoor(roomId);
  const change = useChange((waitsForHost: boolean) => parley.roomDoor({ roomId, waitsForHost }));
  const toggle = (waits: boolean): void =>
    change.mutate(waits, {
      onSuccess: () => notify({ text: waits ? texts.nowWaits : texts.nowOpen }),
      onError: (failure) => notify({ text: sayFailure(failure), kind: "failed" }),
    });
  return (
    <WaitsSwitch
      checked={change.isPending ? change.variables : door.data?.waitsForHost === true}
      disabled={!door.isSuccess || change.isPending}
      onChange={toggle}
    />
  );
};
