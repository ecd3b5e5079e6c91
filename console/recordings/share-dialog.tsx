import { Button, NativeSelect, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { type LinkRight, linkRights, type RecordingLink } from "../../contract/recordings/links.ts";
import css from "../columns/recordings.module.css";
import { type RecordingRecord, useLinks } from "../data/recordings.ts";
import { parley, sayFailure } from "../kit/client.ts";
import { Dialog } from "../kit/dialog.tsx";
import { FailureNote } from "../kit/failure-note.tsx";
import { notify } from "../kit/notices.tsx";
import { Secret } from "../kit/secrets.tsx";
import { showMoment } from "../kit/show.ts";
import { Tag } from "../kit/tag.tsx";
import { useChange } from "../kit/use-change.ts";
import { useOnce } from "../kit/use-once.ts";
import { t } from "../texts/index.ts";

const texts = t.recordings;
const DAYS = [1, 7, 30, 90, 365];
const USUAL = 7;

const Links = ({ recordingId }: Pick<RecordingRecord, "recordingId">) => {
  const links = useLinks(recordingId);
  const revoke = useChange(parley.revokeRecordingLink);
  const end = ({ linkId }: RecordingLink): void =>
    revoke.mutate(
      { linkId },
      {
        onSuccess: () => notify({ text: texts.linkRevoked }),
        onError: (failure) => notify({ text: sayFailure(failure), kind: "failed" }),
      },
    );
  if (links.isError) return <Text size="sm">{sayFailure(links.error)}</Text>;
  if (links.data?.length === 0) {
    return (
      <Text size="sm" className="dimmed">
        {texts.noLinks}
      </Text>
    );
  }
  return (
    <ul className={css.links}>
      {links.data?.map((link) => (
        <li key={link.linkId}>
          <span className={css.link}>
            <span>
              {texts.linkOf(showMoment(link.createdAt))}{" "}
              {link.createdBy !== "" && texts.madeBy(link.createdBy)}
            </span>
            <span className="dimmed small">{texts.ends(showMoment(link.expiresAt))}</span>
          </span>
          <Tag tone={link.revokedAt === null ? "ok" : "calm"}>
            {link.revokedAt === null ? texts.rights[link.allows] : texts.revoked}
          </Tag>
          {link.revokedAt === null && (
            <Button
              size="compact-sm"
              variant="default"
              aria-label={texts.revokeLink(showMoment(link.createdAt))}
              onClick={() => end(link)}
            >
              {texts.revoke}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
};

/** Creates links that play a recording without signing in, and revokes them. */
export const ShareDialog = ({
  recording: { recordingId, name },
  onClose,
}: {
  readonly recording: RecordingRecord;
  readonly onClose: () => void;
}) => {
  const make = useChange(parley.createRecordingLink);
  const [days, setDays] = useState(USUAL);
  const [allows, setAllows] = useState<LinkRight>("play");
  const makeOnce = useOnce(async () => {
    await make.mutateAsync({ recordingId, days, allows }).catch(() => {});
  });
  const made = make.data?.link;
  return (
    <Dialog title={texts.shareTitle(name)} onClose={onClose} size="lg">
      <Stack gap="md">
        <Text size="sm">{texts.shareHelp}</Text>
        <div className={css.make}>
          <NativeSelect
            label={texts.days}
            value={String(days)}
            onChange={(event) => setDays(Number(event.currentTarget.value))}
            data={DAYS.map((count) => ({ value: String(count), label: texts.daysOf(count) }))}
          />
          <NativeSelect
            label={texts.allows}
            value={allows}
            onChange={(event) => setAllows(event.currentTarget.value as LinkRight)}
            data={linkRights.map((value) => ({ value, label: texts.rights[value] }))}
          />
          <Button loading={make.isPending} onClick={() => void makeOnce()} data-autofocus>
            {texts.makeLink}
          </Button>
        </div>
        <Text size="sm" className="dimmed">
          {texts.rightsHelp}
        </Text>
        {make.isError && <FailureNote failure={make.error} />}
        {made && (
          <div role="status">
            <Secret label={texts.newLink} value={made.url} />
            <Text size="sm" className="dimmed">
              {texts.shownOnce}
            </Text>
          </div>
        )}
        <Title order={3} size="h6">
          {texts.links}
        </Title>
        <Links recordingId={recordingId} />
      </Stack>
    </Dialog>
  );
};
