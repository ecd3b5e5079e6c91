/** The time zones by name, for a field; the chosen one too if this browser does not know it. */
export const zoneChoices = (
  chosen: string | null,
): readonly { readonly value: string; readonly label: string }[] => {
  const names = new Set([...Intl.supportedValuesOf("timeZone"), ...(chosen ? [chosen] : [])]);
  return [...names].sort().map((name) => ({ value: name, label: name.replaceAll("_", " ") }));
};
