import { fitOf } from "../../store/fit.ts";
import { isEmbedding, type Model, models } from "../../store/models.ts";
import { webgpu } from "../../store/webgpu.ts";
import { bind } from "../../ui/bind.ts";
import { Checkbox } from "../../ui/fields.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { Empty, WhenReady } from "../../ui/states.tsx";
import { ModelCard } from "./model-card.tsx";
import { fitsOnly, type Kind, kind, sought } from "./store.ts";

const KINDS = [
  ["all", "All"],
  ["chat", "Chat"],
  ["embedding", "Embeddings"],
] as const satisfies readonly (readonly [Kind, string])[];

/** All models, with filters. */
export function Catalogue() {
  return (
    <>
      <h2 class="hidden">Catalogue</h2>
      <div class="row filters">
        <input
          type="search"
          aria-label="Find a model"
          placeholder="Find a model"
          value={sought.value}
          onInput={(event) => {
            sought.value = event.currentTarget.value;
          }}
        />
        <Segmented label="Kind" options={KINDS} {...bind(kind)} />
        <Checkbox label="Only what fits this device" {...bind(fitsOnly)} />
      </div>
      <WhenReady of={models} what="the catalogue">
        {(all) => {
          const shown = all.filter(isWanted).sort((a, b) => rankOf(a) - rankOf(b));
          if (shown.length > 0) {
            return (
              <ul class="model-cards" aria-label="Models">
                {shown.map((model) => (
                  <ModelCard key={model.id} model={model} />
                ))}
              </ul>
            );
          }
          return (
            <Empty icon="cube" title="No model found">
              <p>No model with this name is in the catalogue, or it does not fit this device.</p>
            </Empty>
          );
        }}
      </WhenReady>
    </>
  );
}

/** Sorts runnable models first; otherwise keeps the list's order. */
function rankOf(model: Model): number {
  return ["good", "doubtful", "impossible"].indexOf(fitOf(model, webgpu.value).verdict);
}

function isWanted(model: Model): boolean {
  const words = `${model.id} ${model.infetch?.base_model ?? ""} ${model.owned_by}`.toLowerCase();
  if (!words.includes(sought.value.trim().toLowerCase())) return false;
  if (kind.value !== "all" && isEmbedding(model) !== (kind.value === "embedding")) return false;
  return !fitsOnly.value || fitOf(model, webgpu.value).verdict === "good";
}
