import { Menu } from "@mantine/core";
import { IconChevronUp, IconDoorExit, IconPhoneOff } from "@tabler/icons-react";
import { m } from "../../texts/meet.ts";
import { meeting } from "../connection.ts";
import { RoundButton } from "./round-button.tsx";

/** Beside Leave, for moderators: leave, or end the meeting for everybody. */
export const EndMenu = ({ onEnd }: { readonly onEnd: () => void }) => (
  <Menu position="top-end" withinPortal>
    <Menu.Target>
      <RoundButton label={m.controls.endMore} icon={IconChevronUp} />
    </Menu.Target>
    <Menu.Dropdown>
      <Menu.Item leftSection={<IconPhoneOff size={18} />} onClick={() => meeting.leave()}>
        {m.controls.leaveOnly}
      </Menu.Item>
      <Menu.Item leftSection={<IconDoorExit size={18} />} data-danger onClick={onEnd}>
        {m.bar.endForAll}
      </Menu.Item>
    </Menu.Dropdown>
  </Menu>
);
