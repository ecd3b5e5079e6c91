import { ActionIcon, Menu } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { t } from "../texts/index.ts";

/** The actions for one row. */
export const RowMenu = ({
  name,
  children,
}: {
  readonly name: string;
  readonly children: ReactNode;
}) => (
  <Menu position="bottom-end" width={200} returnFocus>
    <Menu.Target>
      <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t.actions.more(name)}>
        <IconDots size={18} />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>{children}</Menu.Dropdown>
  </Menu>
);
