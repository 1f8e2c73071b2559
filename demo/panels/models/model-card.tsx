import { formatBytes } from "../../format/format.ts";
import { engines } from "../../store/engines.ts";
import { fitOf } from "../../store/fit.ts";
import { isEmbedding, type Model } from "../../store/models.ts";
import { webgpu } from "../../store/webgpu.ts";
import { DescriptionList } from "../../ui/description-list.tsx";
import { LoadBar } from "../../ui/progress.tsx";
import { Failure } from "../../ui/states.tsx";
import { Activity } from "./activity.tsx";
import { ModelActions } from "./model-actions.tsx";
import { kept, outcomes } from "./store.ts";

const ABILITIES = { tools: "Tools", json: "JSON", reasoning: "Thinks", vision: "Sees" } as const;
const TONES = { good: "tag good", doubtful: "tag warn", impossible: "tag bad" } as const;

/** A model: description, requirements, fit and stored files. */
export function ModelCard({ model }: { model: Model }) {
  const { id, infetch = {}, owned_by: owner } = model;
  const fit = fitOf(model, webgpu.value);
  const outcome = outcomes.value[id];
  const cached = kept.value.get(id);
  const isLoaded = engines.value[id]?.state === "loaded";
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
        {cached?.complete ? <span class="tag good">On this device</span> : null}
        {cached && !cached.complete ? <span class="tag warn">Partly downloaded</span> : null}
        <span class="tag">{isEmbedding(model) ? "Embeddings" : "Chat"}</span>
        {infetch.tier === "dedicated" ? <span class="tag">Deployment</span> : null}
        {abilities.map((ability) => (
          <span key={ability} class="tag">
            {ABILITIES[ability]}
          </span>
        ))}
      </p>
      <Details model={model} />
      {isLoaded ? <Activity model={id} /> : null}
      <LoadBar model={id} />
      {outcome?.isProblem ? (
        <Failure reason={outcome.words} onRetry={() => void outcome.retry?.()} />
      ) : outcome ? (
        <p class="small-text soft breakable" role="status">
          {outcome.words}
        </p>
      ) : null}
      <ModelActions id={id} isLoaded={isLoaded} cached={cached} canRun={fit.verdict !== "impossible"} />
    </li>
  );
}

/** What is known of the model. */
function Details({ model: { id, infetch = {} } }: { model: Model }) {
  const cached = kept.value.get(id);
  const bytesHere = cached ? cached.bytes + cached.partialBytes : 0;
  return (
    <DescriptionList
      class="model-details"
      rows={[
        ["Download", infetch.download_bytes ? formatBytes(infetch.download_bytes) : null],
        ["Stored", bytesHere > 0 ? formatBytes(bytesHere) : null],
        ["Memory", infetch.memory_bytes ? formatBytes(infetch.memory_bytes) : null],
        ["Context", infetch.context_window ? `${infetch.context_window.toLocaleString("en")} tokens` : null],
        ["Licence", infetch.licence ?? null],
      ]}
    />
  );
}
