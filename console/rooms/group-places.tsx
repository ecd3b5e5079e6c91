import css from "../kit/form.module.css";
import { t } from "../texts/index.ts";
import { settingGroups } from "./setting-groups.ts";

/** Links to the groups of a long form. */
export const GroupPlaces = () => (
  <nav aria-label={t.form.groups}>
    <ul className={css.places}>
      {settingGroups.map(({ group }) => (
        <li key={group}>
          <a href={`#${group}`}>{t.rooms.groups[group].title}</a>
        </li>
      ))}
    </ul>
  </nav>
);
