import { Button, Title } from "@mantine/core";
import { useBans } from "../data/meetings.ts";
import { parley, sayFailure } from "../kit/client.ts";
import { notify } from "../kit/notices.tsx";
import { showMoment } from "../kit/show.ts";
import { useChange } from "../kit/use-change.ts";
import { t } from "../texts/index.ts";
import css from "./meetings.module.css";

const texts = t.meetings.excluded;

/** The people who are excluded from a room, with a button that readmits them; nothing if there are none. */
export const Excluded = ({ roomId }: { readonly roomId: string }) => {
  const { data: bans = [] } = useBans(roomId);
  const { mutateAsync, isPending } = useChange(parley.liftBan);
  if (bans.length === 0) return null;
  const lift = async (peerId: string, name: string): Promise<void> => {
    try {
      await mutateAsync({ roomId, peerId });
      notify({ text: texts.lifted(name) });
    } catch (failure) {
      notify({ text: sayFailure(failure), kind: "failed" });
    }
  };
  return (
    <section className={`card ${css.panel}`} aria-labelledby="excluded">
      <Title order={2} size="h5" id="excluded">
        {texts.title}
      </Title>
      <ul className={css.people}>
        {bans.map(({ peerId, peerName, lasts, endsAt }) => {
          const name = peerName || texts.unknown;
          return (
            <li key={peerId}>
              <span className={css.who}>
                <bdi>{name}</bdi>
                <span className="dimmed small">
                  {endsAt === null
                    ? lasts === "time"
                      ? ""
                      : texts.lasts[lasts]
                    : texts.until(showMoment(endsAt))}
                </span>
              </span>
              <Button
                size="compact-sm"
                variant="default"
                aria-label={texts.liftPerson(name)}
                disabled={isPending}
                onClick={() => void lift(peerId, name)}
              >
                {texts.lift}
              </Button>
            </li>
          );
        })}
      </ul>
    </section>
  );
};
