import { CloseButton, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { search } from "../../contract/pages.ts";
import { longest } from "../data/schema.ts";
import { t } from "../texts/index.ts";

const PAUSE = 250;
const LENGTH = longest(search);

interface SearchBoxProps {
  readonly label: string;
  readonly value: string;
  readonly onSearch: (value: string) => void;
}

/** Searches as one types, once the typing pauses. */
export const SearchBox = ({ label, value, onSearch }: SearchBoxProps) => {
  const [typed, setTyped] = useState(value);
  const sent = useRef(value);
  const latest = useRef(onSearch);
  latest.current = onSearch;

  // Back, or a cleared filter, changes the address: the field follows.
  useEffect(() => {
    if (value !== sent.current) {
      sent.current = value;
      setTyped(value);
    }
  }, [value]);

  useEffect(() => {
    if (typed === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = typed;
      latest.current(typed);
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [typed]);

  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
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
