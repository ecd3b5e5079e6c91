import { Button, Menu } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import type { exportHistory, historyFormats } from "../../contract/history/history.ts";
import type { Input } from "../../contract/kit/operation.ts";
import { parley } from "../kit/client.ts";
import { notify } from "../kit/notices.tsx";
import { useFileSave } from "../kit/save-file.ts";
import { dayOf } from "../kit/show.ts";
import { t } from "../texts/index.ts";

const texts = t.history;

/** Exports every entry that matches the filters. */
export const ExportMenu = ({ asked }: { readonly asked: Input<typeof exportHistory> }) => {
  const { busy, save } = useFileSave();
  const run = async (format: (typeof historyFormats)[number]): Promise<void> => {
    const name = `history-${dayOf()}.${format}`;
    if (await save(name, () => parley.exportHistory({ ...asked, format }))) {
      notify({ text: texts.exported });
    }
  };
  return (
    <Menu position="bottom-end" returnFocus>
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} />} loading={busy}>
          {texts.export}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void run("csv")}>{texts.exportCsv}</Menu.Item>
        <Menu.Item onClick={() => void run("jsonl")}>{texts.exportJsonl}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
};
