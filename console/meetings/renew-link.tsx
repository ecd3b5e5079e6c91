import { parley } from "../kit/client.ts";
import { Confirm } from "../kit/confirm.tsx";
import { copyUrl } from "../kit/copy-link.tsx";
import { notify } from "../kit/notices.tsx";
import type { RoomRecord } from "../kit/queries.ts";
import { t } from "../texts/index.ts";

const texts = t.meetings.renewal;

interface RenewLinkProps {
  readonly room: Pick<RoomRecord, "room" | "name">;
  readonly onClose: () => void;
}

/** Asks before a room gets a new link, because the current link then stops working. */
export const RenewLink = ({ room: { room, name }, onClose }: RenewLinkProps) => (
  <Confirm
    title={texts.title(name)}
    confirm={texts.confirm}
    danger
    onConfirm={async () => {
      const { url } = await parley.getRoomLink({ roomId: room, renew: true });
      notify({ text: (await copyUrl(url)) ? texts.copied : texts.done });
    }}
    onClose={onClose}
  >
    {texts.help}
  </Confirm>
);
