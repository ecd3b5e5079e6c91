import { Text } from "@mantine/core";
import { Link } from "react-router";
import { t } from "../texts/index.ts";

/** Mentions the recycle bin, which can be switched on, before a permanent deletion. */
export const BinHint = () => (
  <Text size="sm" mt="xs" className="dimmed">
    {t.bin.hint}{" "}
    <Link to="/settings" target="_blank" rel="noreferrer">
      {t.bin.toSettings}
    </Link>
  </Text>
);
