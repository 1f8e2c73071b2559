import { useSignal } from "@preact/signals";
import type { KeyLimits } from "infetch/keys";
import { endOfLocalDay } from "../../format/format.ts";
import { models } from "../../store/models.ts";
import { bind } from "../../ui/bind.ts";
import { Checkbox, TextField } from "../../ui/fields.tsx";
import { filledIn } from "../../ui/filled-in.ts";
import { Form } from "../../ui/form.tsx";
import { createKey } from "./keys-store.ts";

const ENDPOINTS = [
  "/v1/chat/completions",
  "/v1/completions",
  "/v1/responses",
  "/v1/embeddings",
  "/v1/models",
  "/v1/files",
  "/v1/batches",
  "/v1/billing",
] as const;

const LIMITS: readonly (readonly [keyof KeyLimits, string])[] = [
  ["requestsPerMinute", "Requests a minute"],
  ["tokensPerMinute", "Tokens a minute"],
  ["concurrentRequests", "Requests at once"],
  ["tokensPerDay", "Tokens a day"],
  ["tokensPerMonth", "Tokens a month"],
  ["usdPerDay", "Dollars a day"],
  ["usdPerMonth", "Dollars a month"],
];

/** Limits as they are typed. */
type LimitTexts = Partial<Record<keyof KeyLimits, string>>;

/** Form for a new key. No selection means all; an empty limit means none. */
export function KeyForm() {
  const name = useSignal("");
  const account = useSignal("");
  const expires = useSignal("");
  const chosenModels = useSignal<readonly string[]>([]);
  const chosenEndpoints = useSignal<readonly string[]>([]);
  const limits = useSignal<LimitTexts>({});

  const create = async (): Promise<void> => {
    const chosenLimits = Object.entries(filledIn(limits.value));
    await createKey({
      name: name.value.trim(),
      ...filledIn({
        account: account.value.trim(),
        models: chosenModels.value,
        endpoints: chosenEndpoints.value,
        expiresAt: expires.value && endOfLocalDay(expires.value),
        limits: Object.fromEntries(chosenLimits.map(([key, text]) => [key, Number(text)])),
      }),
    });
  };

  return (
    <Form action="Create" disabled={name.value.trim() === ""} onSubmit={create}>
      <div class="fields">
        <TextField label="Name" required placeholder="My notes app" {...bind(name)} />
        <TextField
          label="Account"
          placeholder="default"
          hint="The account whose ledger records its usage."
          {...bind(account)}
        />
        <TextField label="Last day" type="date" hint="Empty: it never expires." {...bind(expires)} />
      </div>
      <Choices label="Models" options={(models.value ?? []).map(({ id }) => id)} {...bind(chosenModels)} />
      <Choices label="Endpoints" options={ENDPOINTS} {...bind(chosenEndpoints)} />
      <LimitFields {...bind(limits)} />
    </Form>
  );
}

interface LimitProps {
  value: LimitTexts;
  onChange: (value: LimitTexts) => void;
}

function LimitFields({ value: limits, onChange }: LimitProps) {
  return (
    <fieldset class="fields" aria-label="Limits">
      {LIMITS.map(([key, label]) => (
        <TextField
          key={key}
          label={label}
          type="number"
          min={0}
          step="any"
          placeholder="no limit"
          value={limits[key] ?? ""}
          onChange={(value) => onChange({ ...limits, [key]: value })}
        />
      ))}
    </fieldset>
  );
}

interface ChoicesProps {
  label: string;
  options: readonly string[];
  value: readonly string[];
  onChange: (value: readonly string[]) => void;
}

function Choices({ label, options, value: chosen, onChange }: ChoicesProps) {
  return (
    <fieldset class="fields-stack" aria-label={label}>
      <span class="legend">
        {label} <span class="soft">{chosen.length === 0 ? "(all)" : `(${chosen.length} chosen)`}</span>
      </span>
      <div class="choices">
        {options.map((option) => (
          <Checkbox
            key={option}
            label={<span class="mono breakable">{option}</span>}
            value={chosen.includes(option)}
            onChange={(isChosen) =>
              onChange(isChosen ? [...chosen, option] : chosen.filter((one) => one !== option))
            }
          />
        ))}
      </div>
    </fieldset>
  );
}
