import { Text } from "@mantine/core";
import { Link } from "react-router";
import { t } from "../texts/index.ts";

/** Says, where something is about to be deleted for good, that there is a recycle bin to switch on. */
export const BinHint = () => (
  <Text size="sm" mt="xs" className="dimmed">
    {t.bin.hint}{" "}
    <Link to="/settings" target="_blank" rel="noreferrer">
      {t.bin.toSettings}
    </Link>
  </Text>
);
