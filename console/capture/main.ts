import "../theme/font.css";
import "./capture.css";
import { loadTexts } from "../kit/language.ts";

void loadTexts("meet").then(() => import("./start.ts"));
