import { useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "react-router";
import { parley } from "../kit/client.ts";
import { PageHeader } from "../kit/page-header.tsx";
import { showMoment, showRow } from "../kit/show.ts";
import { Failed } from "../kit/states.tsx";
import { t } from "../texts/index.ts";
import { ImportView } from "./import-view.tsx";
import css from "./imports.module.css";
import { UploadForm } from "./upload-form.tsx";

const texts = t.imports;

/** The imports of the last days: an interrupted import continues from this list. */
const Recent = () => {
  const { data, error, refetch } = useQuery({
    queryKey: ["imports"],
    queryFn: ({ signal }) => parley.listImports({}, { signal }),
  });
  if (data === undefined) {
    return error === null ? null : <Failed failure={error} retry={() => void refetch()} />;
  }
  if (data.imports.length === 0) return null;
  return (
    <section className={`card ${css.form}`} aria-labelledby="recent-imports">
      <h2 id="recent-imports" className={css.recent}>
        {texts.recent}
      </h2>
      <ul className={css.list}>
        {data.imports.map(({ id, name, kind, state, createdAt, lines }) => (
          <li key={id}>
            <Link to={`/import?id=${id}`}>
              <bdi>{name || texts.unnamed}</bdi>
            </Link>
            <span className="dimmed small">
              {showRow([
                texts.kinds[kind],
                texts.what(lines),
                showMoment(createdAt),
                texts.states[state],
              ])}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
};

export const ImportPage = () => {
  const [params, setParams] = useSearchParams();
  const importId = params.get("id");
  return (
    <>
      <PageHeader title={texts.title} description={texts.description} />
      {importId === null ? (
        <div className={css.page}>
          <UploadForm onMade={({ id }) => setParams({ id })} />
          <Recent />
        </div>
      ) : (
        <ImportView key={importId} importId={importId} onLeft={() => setParams({})} />
      )}
    </>
  );
};
