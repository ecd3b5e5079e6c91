import { Menu } from "@mantine/core";
import { IconEye, IconEyeOff } from "@tabler/icons-react";
import { m } from "../../texts/meet.ts";
import { meeting, useMeeting } from "../connection.ts";

/** For people who are distracted by their own picture; others still see it. */
export const HideSelfItem = () => {
  const { hidesSelf } = useMeeting();
  return (
    <Menu.Item
      leftSection={hidesSelf ? <IconEye size={18} /> : <IconEyeOff size={18} />}
      onClick={() => meeting.hideSelf(!hidesSelf)}
    >
      {hidesSelf ? m.controls.showSelf : m.controls.hideSelf}
    </Menu.Item>
  );
};
