import { Radio, Stack } from "@mantine/core";
import { useState } from "react";
import { t } from "../texts/index.ts";
import { Confirm } from "./confirm.tsx";

/** How long somebody stays out. */
type Ban = keyof typeof t.meetings.removal.bans;

interface RemovePersonProps {
  readonly name: string;
  readonly onRemove: (ban: Ban) => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks before somebody is removed from a meeting, and whether they may come back. */
export const RemovePerson = ({ name, onRemove, onClose }: RemovePersonProps) => {
  const [ban, setBan] = useState<Ban>("no");
  const texts = t.meetings.removal;
  return (
    <Confirm
      title={texts.title(name)}
      confirm={texts.remove}
      danger
      onConfirm={() => onRemove(ban)}
      onClose={onClose}
    >
      <p>{texts.help}</p>
      <Radio.Group
        label={texts.ban}
        value={ban}
        onChange={(chosen) => setBan(chosen as Ban)}
        mt="md"
      >
        <Stack gap="xs" mt="xs">
          {Object.entries(texts.bans).map(([value, label]) => (
            <Radio key={value} value={value} label={label} />
          ))}
        </Stack>
      </Radio.Group>
      <p className="dimmed small">{texts.banHelp}</p>
    </Confirm>
  );
};
