import { useSignal } from "@preact/signals";
import type { KeyLimits } from "infetch/keys";
import { endOfLocalDay } from "../../format/format.ts";
import { reasonOf } from "../../store/loadable.ts";
import { models } from "../../store/models.ts";
import { Checkbox, TextField } from "../../ui/fields.tsx";
import { filledIn } from "../../ui/filled-in.ts";
import { FormEnd } from "../../ui/form-end.tsx";
import { set } from "../../ui/set.ts";
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
  const problem = useSignal("");

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
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    problem.value = await create().then(() => "", reasonOf);
  };

  return (
    <form class="form-stack" onSubmit={(event) => void submit(event)}>
      <div class="fields">
        <TextField label="Name" required placeholder="My notes app" value={name.value} onInput={set(name)} />
        <TextField
          label="Account"
          placeholder="default"
          hint="The account whose ledger records its usage."
          value={account.value}
          onInput={set(account)}
        />
        <TextField
          label="Last day"
          type="date"
          hint="Empty: it never expires."
          value={expires.value}
          onInput={set(expires)}
        />
      </div>
      <Choices
        label="Models"
        options={(models.value ?? []).map(({ id }) => id)}
        chosen={chosenModels.value}
        onChange={set(chosenModels)}
      />
      <Choices
        label="Endpoints"
        options={ENDPOINTS}
        chosen={chosenEndpoints.value}
        onChange={set(chosenEndpoints)}
      />
      <LimitFields limits={limits.value} onChange={set(limits)} />
      <FormEnd action="Create" disabled={name.value.trim() === ""} problem={problem.value} />
    </form>
  );
}

interface LimitProps {
  limits: LimitTexts;
  onChange: (limits: LimitTexts) => void;
}

function LimitFields({ limits, onChange }: LimitProps) {
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
          onInput={(value) => onChange({ ...limits, [key]: value })}
        />
      ))}
    </fieldset>
  );
}

interface ChoicesProps {
  label: string;
  options: readonly string[];
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
}

function Choices({ label, options, chosen, onChange }: ChoicesProps) {
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
            checked={chosen.includes(option)}
            onChange={(checked) =>
              onChange(checked ? [...chosen, option] : chosen.filter((one) => one !== option))
            }
          />
        ))}
      </div>
    </fieldset>
  );
}
