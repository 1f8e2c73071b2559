import { count, formatDuration } from "../../format/format.ts";
import { LoadBar } from "../../ui/progress.tsx";
import { Empty, Failure } from "../../ui/states.tsx";
import type { SearchResult } from "./search.ts";
import { find, isOutdated, model, problem, progress, query, result, wasStopped } from "./store.ts";

const SUGGESTIONS = ["I cannot log in", "What will the weather be?", "My kitten is ill"];

/** Results shown; their number is named. */
const MAX_SHOWN = 50;

/** Search results, best first; instructions before a search, and progress during one. */
export function Results() {
  const found = result.value;
  return (
    <div class="results" aria-busy={progress.value !== undefined}>
      <LoadBar model={model.value} />
      {progress.value !== undefined && progress.value > 0 && progress.value < 1 ? (
        <progress aria-label="Passages embedded" max={1} value={progress.value} />
      ) : null}
      {problem.value === "" ? null : <Failure reason={problem.value} onRetry={() => void find()} />}
      {found ? <Hits found={found} /> : problem.value === "" ? <Invitation /> : null}
    </div>
  );
}

function Invitation() {
  return (
    <Empty icon="search" title="Find what is meant">
      <p>
        The words need not be the same. The first search loads <b>{model.value}</b>
        {model.value === "infetch-tiny-embed" ? ", a very small model for everyday topics," : ""} and embeds
        every passage; later ones embed only what is new.
      </p>
      <div class="suggestions">
        {SUGGESTIONS.map((suggestion) => (
          <button
            key={suggestion}
            type="button"
            class="button small"
            onClick={() => {
              query.value = suggestion;
              void find();
            }}
          >
            {suggestion}
          </button>
        ))}
      </div>
    </Empty>
  );
}

function Hits({ found }: { found: SearchResult }) {
  return (
    <>
      <p class="stats" role="status">
        {found.model !== model.value
          ? `These are the passages of ${found.model}. Search again with this model.`
          : isOutdated.value
            ? "The text has changed since. Search again to embed it."
            : wasStopped.value
              ? "Stopped. These are the passages of the search before."
              : describe(found)}
      </p>
      <ol class="hits" aria-label="Passages, the nearest first">
        {found.hits.slice(0, MAX_SHOWN).map(({ passage, score }, at) => (
          <li key={at} class="hit">
            <span class="score">{score.toFixed(2)}</span>
            <p class="plain">{passage}</p>
            <meter class="nearness" min={0} max={1} value={Math.max(0, score)} aria-hidden="true" />
          </li>
        ))}
      </ol>
      {found.hits.length > MAX_SHOWN ? (
        <p class="hint">{`The nearest ${MAX_SHOWN} of ${count(found.hits.length, "passage")}.`}</p>
      ) : null}
    </>
  );
}

function describe(found: SearchResult): string {
  const passages = found.embeddedPassages
    ? `${count(found.embeddedPassages, "passage")} embedded: ${count(found.passageTokens, "token")}`
    : "Passages already embedded";
  return `${passages} · query: ${count(found.queryTokens, "token")} · ${formatDuration(found.elapsedMs)}`;
}
