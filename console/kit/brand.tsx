import { useEffect } from "react";
import type { Brand } from "../../contract/organization/brand.ts";
import { t } from "../texts/index.ts";
import { type Accent, accentOf } from "../theme/accent.ts";
import { base } from "./base.ts";
import css from "./brand.module.css";
import { offeredLanguages, offerLanguage } from "./language.ts";
import { LanguageSelect } from "./language-select.tsx";

const rulesOf = (scheme: string, { filled, hover, text }: Accent): string =>
  `:root[data-mantine-color-scheme="${scheme}"] {
  --mantine-primary-color-filled: ${filled};
  --mantine-primary-color-filled-hover: ${hover};
  --mantine-primary-color-light: color-mix(in srgb, ${text} 12%, transparent);
  --mantine-primary-color-light-color: ${text};
  --mantine-color-anchor: ${text};
  --parley-speaking: ${text};
  --parley-avatar-text: ${scheme === "light" ? text : "#e7e9ed"};
}`;

let sheet: CSSStyleSheet | undefined;

/** Colors the page's buttons and links; null: Parley's own colors. */
const showAccent = (hex: string | null): void => {
  sheet ??= new CSSStyleSheet();
  const accent = hex === null ? undefined : accentOf(hex);
  sheet.replaceSync(accent ? rulesOf("light", accent.light) + rulesOf("dark", accent.dark) : "");
  if (!document.adoptedStyleSheets.includes(sheet)) document.adoptedStyleSheets.push(sheet);
};

/** Colors the page in its organization's color while this is shown. */
export const useAccent = (color: string | null | undefined): void => {
  useEffect(() => {
    showAccent(color ?? null);
    return () => showAccent(null);
  }, [color]);
};

/** The organization's logo, or else Parley's mark; the name stands beside it. */
export const Mark = ({
  logo,
  className,
}: {
  readonly logo?: Brand["logo"] | undefined;
  readonly className?: string | undefined;
}) => (
  <img
    src={logo ? base + logo : `${base}/icon.svg`}
    alt=""
    className={`${className ?? ""} ${logo ? css.logo : ""}`}
  />
);

const links = [
  ["privacyLink", t.guest.privacy],
  ["imprintLink", t.guest.imprint],
] as const;

/** The choice of a language, and the links that an organization has. */
export const guestLinksOf = (brand: Brand | undefined) =>
  links.flatMap(([name, label]) => {
    const address = brand?.[name];
    return address ? [{ address, label }] : [];
  });

/** The organization's links below a guest's page; nothing without any. */
export const GuestLinks = ({ brand }: { readonly brand: Brand | undefined }) => {
  const shown = guestLinksOf(brand);
  useEffect(() => {
    if (brand) offerLanguage(brand.language);
  }, [brand]);
  const hasChoice = offeredLanguages.length > 1;
  return shown.length === 0 && !hasChoice ? null : (
    <footer className={css.footer} data-guest-links>
      <LanguageSelect />
      {shown.map(({ address, label }) => (
        <a key={label} href={address} target="_blank" rel="noreferrer">
          {label}
        </a>
      ))}
    </footer>
  );
};
