import { Radio, Stack } from "@mantine/core";
import { useState } from "react";
import { Confirm } from "../kit/confirm.tsx";
import { t } from "../texts/index.ts";

const bans = ["no", "15", "60", "meeting", "always"] as const;
type Choice = (typeof bans)[number];

/** How long an exclusion lasts, as `removePeer` takes it: a number is in minutes. */
type Ban = Exclude<Choice, `${number}`> | number;
const banOf = (chosen: Choice): Ban =>
  chosen === "15" || chosen === "60" ? Number(chosen) : chosen;

interface RemovePersonProps {
  readonly name: string;
  readonly onRemove: (ban: Ban) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks whether to remove a person from a meeting, and whether they may come back. */
export const RemovePerson = ({ name, onRemove, onClose }: RemovePersonProps) => {
  const [ban, setBan] = useState<Choice>("no");
  const texts = t.meetings.removal;
  return (
    <Confirm
      title={texts.title(name)}
      confirm={texts.remove}
      danger
      onConfirm={() => onRemove(banOf(ban))}
      onClose={onClose}
    >
      <p>{texts.help}</p>
      <Radio.Group
        label={texts.ban}
        value={ban}
        onChange={(chosen) => setBan(chosen as Choice)}
        mt="md"
      >
        <Stack gap="xs" mt="xs">
          {bans.map((one) => (
            <Radio key={one} value={one} label={texts.bans[one]} />
          ))}
        </Stack>
      </Radio.Group>
      <p className="dimmed small">{texts.banHelp}</p>
    </Confirm>
  );
};
