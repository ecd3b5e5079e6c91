import "@mantine/spotlight/styles.css";
import { createSpotlight, Spotlight } from "@mantine/spotlight";
import {
  IconCalendarPlus,
  IconDoor,
  IconLogout,
  IconPalette,
  IconPlus,
  IconSearch,
  IconUser,
  IconUserPlus,
  IconVideo,
} from "@tabler/icons-react";
import { type ReactNode, useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { foldForSearch } from "../../contract/kit/folded.ts";
import { type ColorScheme, colorSchemes } from "../../contract/kit/plain.ts";
import { addressOfRoom } from "../columns/room-columns.tsx";
import { usePeopleSearch, useRoomSearch } from "../data/search.ts";
import { applyAccount } from "../kit/account.ts";
import { parley, sayFailure } from "../kit/client.ts";
import { notify } from "../kit/notices.tsx";
import { useMay } from "../kit/queries.ts";
import { endSession, useUser } from "../kit/session.ts";
import { useChange } from "../kit/use-change.ts";
import { useNewMeeting, useOwnRoom } from "../rooms/new-meeting.tsx";
import { openScheduling } from "../schedule/scheduling.tsx";
import { t } from "../texts/index.ts";
import { pagesFor } from "./navigation.tsx";
import css from "./palette.module.css";

const texts = t.palette;
const SIZE = 18;

/** An entry of the palette. */
interface Offer {
  readonly id: string;
  readonly label: string;
  readonly more?: string;
  readonly icon: ReactNode;
  readonly run: () => void;
}

/** Stores the colors with the account, as its page does. */
const useScheme = () => {
  const edit = useChange(parley.editAccount);
  return async (colorScheme: ColorScheme): Promise<void> => {
    try {
      applyAccount((await edit.mutateAsync({ colorScheme })).account);
    } catch (failure) {
      notify({ text: sayFailure(failure), kind: "failed" });
    }
  };
};

/** The actions that this person may do. */
const useActions = (): readonly Offer[] => {
  const go = useNavigate();
  const { admin } = useUser();
  const may = useMay();
  const setScheme = useScheme();
  const startMeeting = useNewMeeting();
  const ownRoom = useOwnRoom();
  const openOwnRoom = async (): Promise<void> => {
    try {
      await go(addressOfRoom((await ownRoom()).room));
    } catch (failure) {
      notify({ text: sayFailure(failure), kind: "failed" });
    }
  };
  return [
    ...(may?.createRooms
      ? [
          {
            id: "new meeting",
            label: t.rooms.meetNow.button,
            icon: <IconVideo size={SIZE} />,
            run: () => void startMeeting(),
          },
          {
            id: "schedule",
            label: t.schedule.action,
            icon: <IconCalendarPlus size={SIZE} />,
            run: openScheduling,
          },
          {
            id: "my room",
            label: t.rooms.meetNow.mine,
            icon: <IconDoor size={SIZE} />,
            run: () => void openOwnRoom(),
          },
          {
            id: "new room",
            label: t.rooms.create,
            icon: <IconPlus size={SIZE} />,
            run: () => void go("/rooms/new"),
          },
        ]
      : []),
    ...(admin
      ? [
          {
            id: "new person",
            label: t.people.create,
            icon: <IconUserPlus size={SIZE} />,
            run: () => void go("/people/new"),
          },
        ]
      : []),
    ...colorSchemes.map((scheme) => ({
      id: scheme,
      label: texts.scheme[scheme],
      icon: <IconPalette size={SIZE} />,
      run: () => void setScheme(scheme),
    })),
    {
      id: "account",
      label: t.account.title,
      icon: <IconUser size={SIZE} />,
      run: () => void go("/account"),
    },
    {
      id: "sign out",
      label: t.account.signOut,
      icon: <IconLogout size={SIZE} />,
      run: () => void endSession(),
    },
  ];
};

const [store, opening] = createSpotlight();

interface PaletteProps {
  readonly onClose: () => void;
}

/** Finds people, rooms, pages and actions; it offers only what the person may see and do. */
export const Palette = ({ onClose }: PaletteProps) => {
  const [typed, setTyped] = useState("");
  const go = useNavigate();
  const { admin } = useUser();
  const term = typed.trim();
  const rooms = useRoomSearch(term, term !== "");
  const people = usePeopleSearch(term, admin && term !== "");
  const actions = useActions();
  // It closes by Escape, by a click beside it, and with a choice.
  useEffect(opening.open, []);

  const folded = foldForSearch(term);
  const matching = (offers: readonly Offer[]): readonly Offer[] =>
    offers.filter(({ label }) => foldForSearch(label).includes(folded));
  const pages = pagesFor(admin).map(({ to, label, icon: Icon }) => ({
    id: to,
    label,
    icon: <Icon size={SIZE} stroke={1.7} aria-hidden />,
    run: () => void go(to),
  }));
  const foundRooms = (term === "" ? [] : (rooms.data ?? [])).map(({ id, name }) => ({
    id,
    label: name,
    more: id,
    icon: <IconDoor size={SIZE} />,
    run: () => void go(addressOfRoom(id)),
  }));
  const foundPeople = (term === "" || !admin ? [] : (people.data ?? [])).map(
    ({ id, name, email }) => ({
      id,
      label: name,
      more: email,
      icon: <IconUser size={SIZE} />,
      run: () => void go(`/people/${encodeURIComponent(id)}`),
    }),
  );
  const groups: readonly (readonly [string, readonly Offer[]])[] = [
    [texts.actions, matching(actions)],
    [texts.pages, matching(pages)],
    [texts.rooms, foundRooms],
    [texts.people, foundPeople],
  ];
  const isSearching = term !== "" && (!rooms.isCurrent || (admin && !people.isCurrent));
  const shown = groups.filter(([, offers]) => offers.length > 0);

  return (
    <Spotlight.Root
      store={store}
      shortcut={null}
      query={typed}
      onQueryChange={setTyped}
      onSpotlightClose={onClose}
      scrollable
      maxHeight="60vh"
      title={texts.title}
      classNames={{ header: "unseen" }}
      centered={false}
      overlayProps={{ blur: 0 }}
    >
      <Spotlight.Search
        aria-label={texts.search}
        placeholder={texts.search}
        leftSection={<IconSearch size={20} stroke={1.7} />}
      />
      <Spotlight.ActionsList>
        {shown.map(([group, offers]) => (
          <Spotlight.ActionsGroup key={group} label={group}>
            {offers.map(({ id, label, more, icon, run }) => (
              <Spotlight.Action key={`${group} ${id}`} onClick={run}>
                <span className={css.offer}>
                  <span className={css.icon} aria-hidden>
                    {icon}
                  </span>
                  <bdi className={css.label}>{label}</bdi>
                  {more !== undefined && <bdi className={css.more}>{more}</bdi>}
                </span>
              </Spotlight.Action>
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {shown.length === 0 && (
          <Spotlight.Empty>{isSearching ? texts.searching : texts.nothing}</Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
};
