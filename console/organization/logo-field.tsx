import { Button, Input } from "@mantine/core";
import { useId, useRef } from "react";
import { LOGO_SIDE } from "../../contract/kit/plain.ts";
import css from "../kit/brand.module.css";
import { Mark } from "../kit/brand.tsx";
import { parley, sayFailure } from "../kit/client.ts";
import { notify } from "../kit/notices.tsx";
import { useBrand } from "../kit/queries.ts";
import { useChange } from "../kit/use-change.ts";
import { t } from "../texts/index.ts";

const texts = t.settings;

/** The longest side of the stored picture, in pixels: twice as large as pages show it. */
const LONGEST = 320;
const PICTURES = "image/png,image/jpeg,image/webp";

/** A picture as a small PNG in Base64. */
const smallPicture = (picture: ImageBitmap): string => {
  const scale = Math.min(1, LONGEST / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const url = canvas.toDataURL("image/png");
  return url.slice(url.indexOf(",") + 1);
};

/** The organization's logo, which is saved as soon as it is chosen. */
export const LogoField = () => {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const { data } = useBrand();
  const set = useChange(parley.setLogo);
  const save = async (image: string | null): Promise<void> => {
    try {
      await set.mutateAsync({ image });
      notify({ text: image === null ? texts.logoRemoved : texts.logoSaved });
    } catch (failure) {
      notify({ kind: "failed", text: sayFailure(failure) });
    }
  };
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    const picture = await createImageBitmap(file).catch(() => undefined);
    if (picture === undefined) return notify({ kind: "failed", text: texts.logoUnreadable });
    const { width, height } = picture;
    if (Math.max(width, height) > LOGO_SIDE) {
      return notify({ kind: "failed", text: texts.logoTooWide(LOGO_SIDE, width, height) });
    }
    await save(smallPicture(picture));
  };
  return (
    <Input.Wrapper id={id} label={texts.logo} description={texts.logoHelp(LOGO_SIDE)}>
      <div className={css.choose}>
        {data?.brand.logo && <Mark logo={data.brand.logo} className={css.preview} />}
        <input
          ref={input}
          id={id}
          type="file"
          accept={PICTURES}
          hidden
          onChange={(event) => {
            void take(event.currentTarget.files?.[0]);
            // The same file can be chosen again.
            event.currentTarget.value = "";
          }}
        />
        <Button variant="default" loading={set.isPending} onClick={() => input.current?.click()}>
          {texts.chooseLogo}
        </Button>
        {data?.brand.logo && (
          <Button variant="subtle" color="gray" onClick={() => void save(null)}>
            {texts.removeLogo}
          </Button>
        )}
      </div>
    </Input.Wrapper>
  );
};
