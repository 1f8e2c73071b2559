import { useEffect } from "preact/hooks";
import { embeddingModels, models } from "../../store/models.ts";
import { bind } from "../../ui/bind.ts";
import { Select } from "../../ui/fields.tsx";
import { Panel } from "../../ui/panel.tsx";
import { WhenReady } from "../../ui/states.tsx";
import { QueryForm } from "./query-form.tsx";
import { Results } from "./results.tsx";
import { SourceCard } from "./source-card.tsx";
import { find, model, stop, wantedModel } from "./store.ts";
import "./embeddings.css";

export default function EmbeddingsPanel() {
  useEffect(() => {
    void models.refresh();
    return stop;
  }, []);
  return (
    <Panel
      title="Embeddings"
      lead="Search by meaning: your text and the question become vectors in this page."
      actions={
        embeddingModels.value.length > 1 ? (
          <Select
            label="Model"
            options={embeddingModels.value.map(({ id }) => [id, id] as const)}
            {...bind(wantedModel)}
            value={model.value}
          />
        ) : null
      }
    >
      <WhenReady of={models} what="the models">
        {() => (
          <div class="columns search-columns">
            <section class="card" aria-label="Search">
              <QueryForm onFind={() => void find()} onStop={stop} />
              <Results />
            </section>
            <SourceCard />
          </div>
        )}
      </WhenReady>
    </Panel>
  );
}
