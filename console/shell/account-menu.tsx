import { Menu, UnstyledButton } from "@mantine/core";
import { IconLock, IconLogout, IconSelector, IconUser } from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "react-router";
import { endSession, useUser } from "../kit/session.ts";
import { initialsOf } from "../kit/show.ts";
import { t } from "../texts/index.ts";
import css from "./account.module.css";
import { ChangePassword } from "./change-password.tsx";

/** The menu of the signed-in person's account: name, password, sign-out. */
export const AccountMenu = () => {
  const user = useUser();
  const [changing, setChanging] = useState(false);
  return (
    <>
      <Menu position="top-start" width={220} returnFocus>
        <Menu.Target>
          <UnstyledButton className={css.account}>
            <span className={css.initials} aria-hidden>
              {initialsOf(user.name)}
            </span>
            <span className={css.who}>
              <span className="unseen">{t.account.menu} </span>
              <span className={css.name}>
                <bdi>{user.name}</bdi>{" "}
              </span>
              <span className="dimmed small" dir="ltr">
                {user.username}
              </span>
            </span>
            <IconSelector size={16} aria-hidden />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item component={Link} to="/account" leftSection={<IconUser size={16} />}>
            {t.account.title}
          </Menu.Item>
          <Menu.Item leftSection={<IconLock size={16} />} onClick={() => setChanging(true)}>
            {t.account.changePassword}
          </Menu.Item>
          <Menu.Item
            leftSection={<IconLogout size={16} />}
            // Signs out here, whatever the service answers.
            onClick={() => void endSession()}
          >
            {t.account.signOut}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {changing && <ChangePassword onClose={() => setChanging(false)} />}
    </>
  );
};
