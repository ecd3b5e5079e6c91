import { ActionIcon, Group } from "@mantine/core";
import { IconStar, IconStarFilled } from "@tabler/icons-react";
import { useState } from "react";
import { parley } from "../../kit/client.ts";
import css from "../../kit/message.module.css";
import { m } from "../../texts/meet.ts";

const STARS = [1, 2, 3, 4, 5];
const texts = m.controls.after;

/** Asks how good the connection was; the answer may be changed. */
export const Rating = ({ ticket }: { readonly ticket: string }) => {
  const [given, setGiven] = useState(0);
  const [said, setSaid] = useState<string>();
  const rate = async (rating: number): Promise<void> => {
    setGiven(rating);
    try {
      await parley.rateMeeting({ ticket, rating });
      setSaid(texts.rated);
    } catch {
      setSaid(texts.unrated);
    }
  };
  return (
    <section aria-label={texts.rate} className={css.more}>
      <p className="dimmed small">{texts.rate}</p>
      <Group gap={4} justify="center">
        {STARS.map((star) => {
          const Icon = star <= given ? IconStarFilled : IconStar;
          return (
            <ActionIcon
              key={star}
              size="lg"
              variant="subtle"
              aria-label={texts.stars(star)}
              aria-pressed={star === given}
              onClick={() => void rate(star)}
            >
              <Icon size={22} />
            </ActionIcon>
          );
        })}
      </Group>
      <p className="dimmed small" role="status">
        {said}
      </p>
    </section>
  );
};
