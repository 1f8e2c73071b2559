import { useSignal } from "@preact/signals";
import type { DeploymentRequest } from "infetch/models";
import { models } from "../../store/models.ts";
import { bind } from "../../ui/bind.ts";
import { Checkbox, Field, Select, TextField } from "../../ui/fields.tsx";
import { filledIn } from "../../ui/filled-in.ts";
import { Form } from "../../ui/form.tsx";
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

  const submit = async (): Promise<void> => {
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
    await createDeployment(request);
    onDone();
  };

  return (
    <Form action="Deploy" disabled={name.value.trim() === ""} onSubmit={submit}>
      <div class="fields">
        <TextField
          label="Name"
          required
          placeholder="my-assistant"
          hint="Value of “model” in requests."
          {...bind(name)}
        />
        <ModelField {...bind(model)} />
        <TextField
          label="Context in tokens"
          type="number"
          min={1}
          placeholder="the model's own"
          {...bind(contextWindow)}
        />
        <TextField
          label="File"
          placeholder="model.Q4_K_M.gguf"
          hint="For a GGUF repository."
          {...bind(file)}
        />
        <TextField
          label="Projector"
          placeholder="auto"
          hint="For a GGUF model that takes images: its mmproj file."
          {...bind(projector)}
        />
      </div>
      <Select label="Engine" options={ENGINES} {...bind(engine)} />
      <Checkbox
        label="Keep loaded"
        hint="Loaded when the page opens, and never evicted for another model."
        {...bind(keepLoaded)}
      />
    </Form>
  );
}

interface ModelFieldProps {
  value: string;
  onChange: (value: string) => void;
}

/** Suggests the models that are no deployments themselves. */
function ModelField({ value, onChange }: ModelFieldProps) {
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
            onInput={(event) => onChange(event.currentTarget.value)}
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
