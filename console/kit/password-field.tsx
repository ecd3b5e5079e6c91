import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { useState } from "react";
import { t } from "../texts/index.ts";

/** A password, with a button that reveals it. */
export const PasswordField = (props: PasswordInputProps) => {
  const [visible, setVisible] = useState(false);
  return (
    <PasswordInput
      {...props}
      visible={visible}
      onVisibilityChange={setVisible}
      visibilityToggleButtonProps={{
        // Without the field's name, which would then belong to two elements.
        "aria-label": visible ? t.actions.hide : t.actions.show,
        "aria-hidden": false,
        tabIndex: 0,
      }}
    />
  );
};
