import { Switch } from "@mantine/core";
import { FormGroup } from "../kit/form-parts.tsx";
import { t } from "../texts/index.ts";

const texts = t.settings;

interface RatingGroupProps {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** Whether people are asked after a meeting how good the connection was. */
export const RatingGroup = ({ isOn, onChange }: RatingGroupProps) => (
  <FormGroup id="meetings" title={texts.meetings}>
    <Switch
      name="rateMeetings"
      label={texts.labels.rateMeetings}
      description={texts.rateMeetingsHelp}
      checked={isOn}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  </FormGroup>
);
