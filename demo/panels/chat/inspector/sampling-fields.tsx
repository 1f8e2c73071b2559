import { TextArea, TextField } from "../../../ui/fields.tsx";
import type { ChatSettings, SamplingName } from "../conversation/settings.ts";

interface SamplingField {
  name: SamplingName;
  label: string;
  /** The default, used if the field is empty. */
  placeholder: string;
  step: number | "any";
}

const FIELDS: readonly SamplingField[] = [
  { name: "temperature", label: "Temperature", placeholder: "1", step: 0.1 },
  { name: "max_tokens", label: "Max tokens", placeholder: "no limit", step: 1 },
  { name: "top_p", label: "Top p", placeholder: "1", step: 0.05 },
  { name: "top_k", label: "Top k", placeholder: "all", step: 1 },
  { name: "min_p", label: "Min p", placeholder: "0", step: 0.05 },
  { name: "seed", label: "Seed", placeholder: "random", step: 1 },
  { name: "presence_penalty", label: "Presence penalty", placeholder: "0", step: 0.1 },
  { name: "frequency_penalty", label: "Frequency penalty", placeholder: "0", step: 0.1 },
  { name: "repetition_penalty", label: "Repetition penalty", placeholder: "1", step: 0.1 },
];

interface FieldsProps {
  settings: ChatSettings;
  onChange: (part: Partial<ChatSettings>) => void;
}

/** Numeric parameters. Empty fields are omitted from the request. */
export function SamplingFields({ settings, onChange }: FieldsProps) {
  return (
    <>
      <fieldset class="number-fields" aria-label="Sampling">
        {FIELDS.map(({ name, ...field }) => (
          <TextField
            key={name}
            {...field}
            type="number"
            value={settings.sampling[name] ?? ""}
            onChange={(value) => onChange({ sampling: { ...settings.sampling, [name]: value } })}
          />
        ))}
      </fieldset>
      <TextArea
        label="Stop sequences"
        hint="One per line, at most four."
        rows={2}
        value={settings.stop}
        onChange={(stop) => onChange({ stop })}
      />
      <TextArea
        label="Logit bias"
        hint="JSON: token to bias, −100 to 100."
        placeholder='{"50": -100}'
        code
        rows={1}
        value={settings.logitBias}
        onChange={(logitBias) => onChange({ logitBias })}
      />
    </>
  );
}
