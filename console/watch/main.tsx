import "../theme/font.css";
import "../theme/mantine.ts";
import "../theme/base.css";
import { loadTexts } from "../kit/language.ts";

void loadTexts("console").then(() => import("./start.tsx"));
