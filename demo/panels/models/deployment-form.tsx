import { useSignal } from "@preact/signals";
import type { DeploymentRequest } from "infetch/models";
import { reasonOf } from "../../store/loadable.ts";
import { models } from "../../store/models.ts";
import { Checkbox, Field, Select, TextField } from "../../ui/fields.tsx";
import { filledIn } from "../../ui/filled-in.ts";
import { FormEnd } from "../../ui/form-end.tsx";
import { set } from "../../ui/set.ts";
import { createDeployment } from "./store.ts";

type Engine = "" | NonNullable<DeploymentRequest["engine"]>;

const ENGINES = [
  ["", "Best engine for this device"],
  ["webllm", "web-llm, on WebGPU"],
  ["llamacpp", "llama.cpp, on the CPU"],
  ["transformers", "transformers.js, for embeddings"],
] as const satisfies readonly (readonly [Engine, string])[];

/** Form for a new deployment; empty fields use the model's defaults. */
export function DeploymentForm({ onDone }: { onDone: () => void }) {
  const name = useSignal("");
  const model = useSignal("infetch-tiny");
  const file = useSignal("");
  const projector = useSignal("");
  const contextWindow = useSignal("");
  const engine = useSignal<Engine>("");
  const keepLoaded = useSignal(false);
  const problem = useSignal("");

  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const request: DeploymentRequest = {
      name: name.value.trim(),
      model: model.value.trim(),
      keepLoaded: keepLoaded.value,
      ...filledIn({
        file: file.value.trim(),
        projector: projector.value.trim(),
        contextWindow: contextWindow.value && Number(contextWindow.value),
        engine: engine.value,
      }),
    };
    problem.value = await createDeployment(request).then(() => "", reasonOf);
    if (problem.value === "") onDone();
  };

  return (
    <form class="form-stack" onSubmit={(event) => void submit(event)}>
      <div class="fields">
        <TextField
          label="Name"
          required
          placeholder="my-assistant"
          hint="Value of “model” in requests."
          value={name.value}
          onInput={set(name)}
        />
        <ModelField value={model.value} onInput={set(model)} />
        <TextField
          label="Context in tokens"
          type="number"
          min={1}
          placeholder="the model's own"
          value={contextWindow.value}
          onInput={set(contextWindow)}
        />
        <TextField
          label="File"
          placeholder="model.Q4_K_M.gguf"
          hint="For a GGUF repository."
          value={file.value}
          onInput={set(file)}
        />
        <TextField
          label="Projector"
          placeholder="auto"
          hint="For a GGUF model that takes images: its mmproj file."
          value={projector.value}
          onInput={set(projector)}
        />
      </div>
      <Select label="Engine" value={engine.value} options={ENGINES} onChange={set(engine)} />
      <Checkbox
        label="Keep loaded"
        hint="Loaded when the page opens, and never evicted for another model."
        checked={keepLoaded.value}
        onChange={set(keepLoaded)}
      />
      <FormEnd action="Deploy" disabled={name.value.trim() === ""} problem={problem.value} />
    </form>
  );
}

interface ModelFieldProps {
  value: string;
  onInput: (value: string) => void;
}

/** Suggests the models that are no deployments themselves. */
function ModelField({ value, onInput }: ModelFieldProps) {
  const originals = (models.value ?? []).filter(({ infetch }) => infetch?.tier !== "dedicated");
  return (
    <>
      <Field label="Model" hint="A model of the catalogue or the hub (<org>/<model>).">
        {(attributes) => (
          <input
            {...attributes}
            required
            list="deployable"
            autocomplete="off"
            value={value}
            onInput={(event) => onInput(event.currentTarget.value)}
          />
        )}
      </Field>
      <datalist id="deployable">
        {originals.map(({ id }) => (
          <option key={id} value={id} />
        ))}
      </datalist>
    </>
  );
}
