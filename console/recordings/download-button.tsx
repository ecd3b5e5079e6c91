import { Button, Menu } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import type { Resolution } from "../data/recordings.ts";
import { t } from "../texts/index.ts";

const texts = t.recordings;

interface DownloadProps {
  readonly resolutions: readonly Resolution[];
  /** True while the file is being made. */
  readonly isPreparing: boolean;
  /** Without a size, downloads the largest. */
  readonly onDownload: (resolution?: Resolution) => void;
}

/** Downloads a recording; asks for the size if it has several. */
export const DownloadButton = ({ resolutions, isPreparing, onDownload }: DownloadProps) => {
  const looks = {
    leftSection: <IconDownload size={16} />,
    disabled: isPreparing,
    children: isPreparing ? texts.preparing : texts.download,
  };
  if (resolutions.length < 2) return <Button {...looks} onClick={() => onDownload()} />;
  return (
    <Menu position="bottom-end" returnFocus>
      <Menu.Target>
        <Button {...looks} />
      </Menu.Target>
      <Menu.Dropdown>
        {resolutions.map((resolution) => (
          <Menu.Item key={resolution} onClick={() => onDownload(resolution)}>
            {resolution}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};
