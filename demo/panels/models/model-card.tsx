import { formatBytes } from "../../format/format.ts";
import { engines } from "../../store/engines.ts";
import { fitOf } from "../../store/fit.ts";
import { graphics } from "../../store/graphics.ts";
import { isEmbedding, type Model } from "../../store/models.ts";
import { loads } from "../../store/runtime.ts";
import { LoadBar } from "../../ui/progress.tsx";
import { Failure } from "../../ui/states.tsx";
import { failures, loading, loadModel, unloadModel } from "./store.ts";

const ABILITIES = { tools: "Tools", json: "JSON", reasoning: "Thinks", vision: "Sees" } as const;
const TONES = { good: "tag good", doubtful: "tag warn", impossible: "tag bad" } as const;

/** One model: what it is, what it takes, whether it fits, and whether it is in memory. */
export function ModelCard({ model }: { model: Model }) {
  const { id, infetch = {}, owned_by: owner } = model;
  const fit = fitOf(model, graphics.value);
  const isLoaded = engines.value[id]?.state === "loaded";
  const isLoading = loading.value.has(id) || id in loads.value;
  const failure = failures.value[id];
  const facts = [
    ["Download", infetch.download_bytes ? formatBytes(infetch.download_bytes) : ""],
    ["Memory", infetch.memory_bytes ? formatBytes(infetch.memory_bytes) : ""],
    [
      "Context",
      infetch.context_window ? `${infetch.context_window.toLocaleString("en")} tokens` : "not known",
    ],
    ["Licence", infetch.licence ?? ""],
  ].filter(([, value]) => value !== "");
  const abilities = (Object.keys(ABILITIES) as (keyof typeof ABILITIES)[]).filter(
    (ability) => infetch.abilities?.[ability],
  );
  return (
    <li class="model-card" aria-label={id}>
      <header>
        <h3 class="breakable">{id}</h3>
        <p class="soft small-text breakable">{infetch.deployment_of ?? infetch.base_model ?? owner}</p>
      </header>
      <p class="tags">
        <span class={TONES[fit.verdict]}>{fit.words}</span>
        {isLoaded ? <span class="tag accent">In memory</span> : null}
        <span class="tag">{isEmbedding(model) ? "Embeddings" : "Chat"}</span>
        {infetch.tier === "dedicated" ? <span class="tag">Deployment</span> : null}
        {abilities.map((ability) => (
          <span key={ability} class="tag">
            {ABILITIES[ability]}
          </span>
        ))}
      </p>
      <dl class="model-facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class="breakable">{value}</dd>
          </div>
        ))}
      </dl>
      <LoadBar model={id} />
      {failure ? <Failure reason={failure} onRetry={() => void loadModel(id)} /> : null}
      <div class="row">
        {isLoaded ? (
          <button type="button" class="button small" onClick={() => void unloadModel(id)}>
            Free its memory
          </button>
        ) : isLoading ? (
          <button type="button" class="button small" onClick={() => void unloadModel(id)}>
            Cancel
          </button>
        ) : (
          <button
            type="button"
            class="button small"
            disabled={fit.verdict === "impossible"}
            onClick={() => void loadModel(id)}
          >
            Load
          </button>
        )}
      </div>
    </li>
  );
}
