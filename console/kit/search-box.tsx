import { CloseButton, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useLocation, useNavigation } from "react-router";
import { search } from "../../contract/kit/pages.ts";
import { t } from "../texts/index.ts";
import { longest } from "./schema.ts";

const PAUSE = 250;
const LENGTH = longest(search);

interface SearchBoxProps {
  readonly label: string;
  /** Shown in the empty field; default: the label. */
  readonly placeholder?: string;
  readonly value: string;
  readonly onSearch: (value: string) => void;
}

/** Searches while the person types, whenever the typing pauses. */
export const SearchBox = ({ label, placeholder = label, value, onSearch }: SearchBoxProps) => {
  const [typed, setTyped] = useState(value);
  const sent = useRef(value);
  const latest = useRef(onSearch);
  latest.current = onSearch;
  const { pathname } = useLocation();
  const next = useNavigation().location;
  // Another page is being loaded: a search now would return to this one.
  const leaving = next !== undefined && next.pathname !== pathname;

  // Back or a cleared filter changes the address, and the field follows, unless the person is
  // typing.
  useEffect(() => {
    if (value === sent.current) return;
    const before = sent.current;
    sent.current = value;
    setTyped((now) => (now === before ? value : now));
  }, [value]);

  useLayoutEffect(() => {
    if (leaving || typed === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = typed;
      latest.current(typed);
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [typed, leaving]);

  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={placeholder}
      value={typed}
      {...(LENGTH === undefined ? {} : { maxLength: LENGTH })}
      onChange={(event) => setTyped(event.currentTarget.value)}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        typed === "" ? null : (
          <CloseButton size="sm" aria-label={t.actions.clear} onClick={() => setTyped("")} />
        )
      }
    />
  );
};
