import { Menu } from "@mantine/core";
import {
  IconArrowBackUp,
  IconDoor,
  IconLockPassword,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconTrash,
  IconUserOff,
} from "@tabler/icons-react";
import { Link } from "react-router";
import { addressOfPerson } from "../columns/person-columns.tsx";
import type { User } from "../kit/queries.ts";
import { RowMenu } from "../kit/row-menu.tsx";
import { t } from "../texts/index.ts";
import type { usePersonActions } from "./person-actions.tsx";

interface PersonMenuProps {
  readonly person: User;
  readonly actions: ReturnType<typeof usePersonActions>;
  /** The signed-in person's account cannot be suspended, revoked or deleted. */
  readonly isMe: boolean;
}

/** The actions for a person, depending on the state of the account. */
export const PersonMenu = ({ person, actions, isMe }: PersonMenuProps) => (
  <RowMenu name={person.name}>
    <Menu.Item
      leftSection={<IconPencil size={16} />}
      component={Link}
      to={addressOfPerson(person.id)}
    >
      {t.people.edit}
    </Menu.Item>
    {person.rooms.length > 0 && (
      <Menu.Item
        leftSection={<IconDoor size={16} />}
        component={Link}
        to={`/rooms?userFilter=${encodeURIComponent(person.id)}`}
      >
        {t.people.seeRooms}
      </Menu.Item>
    )}
    {person.accountDeleted ? (
      <>
        <Menu.Item
          leftSection={<IconArrowBackUp size={16} />}
          onClick={() => actions.reactivate(person)}
        >
          {t.people.reactivate}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          data-danger
          leftSection={<IconTrash size={16} />}
          onClick={() => actions.remove([person])}
        >
          {actions.deletion.label}
        </Menu.Item>
      </>
    ) : (
      <>
        <Menu.Item
          leftSection={<IconLockPassword size={16} />}
          onClick={() => actions.reset(person)}
        >
          {t.people.resetPassword}
        </Menu.Item>
        {!isMe &&
          (person.accountSuspended ? (
            <Menu.Item
              leftSection={<IconPlayerPlay size={16} />}
              onClick={() => actions.restore(person)}
            >
              {t.people.restore}
            </Menu.Item>
          ) : (
            <Menu.Item
              leftSection={<IconPlayerPause size={16} />}
              onClick={() => actions.suspend(person)}
            >
              {t.people.suspend}
            </Menu.Item>
          ))}
        {!isMe && (
          <>
            <Menu.Divider />
            <Menu.Item
              data-danger
              leftSection={<IconUserOff size={16} />}
              onClick={() => actions.revoke([person])}
            >
              {t.people.revoke}
            </Menu.Item>
          </>
        )}
      </>
    )}
  </RowMenu>
);
