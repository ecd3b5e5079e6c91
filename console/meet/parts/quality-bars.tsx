import { IconAntennaBars2, IconAntennaBars3, IconAntennaBars5 } from "@tabler/icons-react";
import type { Quality } from "../../../contract/kit/plain.ts";
import { m } from "../../texts/meet.ts";

const icons = { good: IconAntennaBars5, fair: IconAntennaBars3, poor: IconAntennaBars2 } as const;

/** How good somebody's connection is. */
export const QualityBars = ({
  quality,
  size,
}: {
  readonly quality: Quality;
  readonly size: number;
}) => {
  const Icon = icons[quality];
  return (
    <Icon size={size} role="img" aria-label={m.controls.quality[quality]} data-quality={quality} />
  );
};
