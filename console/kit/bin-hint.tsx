import { Text } from "@mantine/core";
import { Link } from "react-router";
import { t } from "../texts/index.ts";

/** Where something is about to be deleted for good, mentions the recycle bin, which can be switched on. */
export const BinHint = () => (
  <Text size="sm" mt="xs" className="dimmed">
    {t.bin.hint}{" "}
    <Link to="/settings" target="_blank" rel="noreferrer">
      {t.bin.toSettings}
    </Link>
  </Text>
);
