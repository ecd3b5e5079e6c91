import type { Brand } from "../organization/brand.ts";
import type { MeaningsOf } from "./kit.ts";

const fields: MeaningsOf<Brand> = {
  logo: "The path of the organization's logo; null if there is none.",
  accentColor: "The color of buttons and links; null for Parley's own.",
  privacyLink: "The address of the privacy notice; null for none.",
  imprintLink: "The address of the imprint; null for none.",
  language: "The language of pages for guests whose browser asks for none that there is.",
};

/** The fields of an organization's brand. */
export const brandMeaning = { is: "How the organization's pages look.", fields };

/** The brand in examples. */
export const exampleBrand: Brand = {
  logo: null,
  accentColor: "#2f6f4f",
  privacyLink: "https://www.example.org/privacy",
  imprintLink: "https://www.example.org/imprint",
  language: "en",
};
