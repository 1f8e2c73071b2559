import { Checkbox, Select } from "../../../ui/fields.tsx";
import type { ChatSettings } from "../conversation/settings.ts";
import { TOOLS } from "../tools/tools.ts";

interface FieldsProps {
  settings: ChatSettings;
  onChange: (part: Partial<ChatSettings>) => void;
}

/** Selects the tools the model may or must call. */
export function ToolFields({ settings, onChange }: FieldsProps) {
  const { tools } = settings;
  const choose = (name: string, checked: boolean): void => {
    const others = tools.filter((one) => one !== name);
    // A choice of this tool alone is no longer offered without it.
    const toolChoice = !checked && settings.toolChoice === name ? "auto" : settings.toolChoice;
    onChange({ tools: checked ? [...others, name] : others, toolChoice });
  };
  const choices = [
    ["auto", "Model decides"],
    ["required", "Any tool"],
    ["none", "No tool"],
    ...tools.map((name) => [name, `Only ${name}`] as const),
  ] as const;
  return (
    <fieldset class="fields-stack" aria-label="Tools">
      <span class="legend">Tools that this page runs</span>
      {TOOLS.map(({ name, description }) => (
        <Checkbox
          key={name}
          label={<span class="mono">{name}</span>}
          hint={description}
          value={tools.includes(name)}
          onChange={(isChosen) => choose(name, isChosen)}
        />
      ))}
      {tools.length > 0 ? (
        <Select
          label="Tool choice"
          value={settings.toolChoice}
          options={choices}
          onChange={(toolChoice) => onChange({ toolChoice })}
        />
      ) : null}
    </fieldset>
  );
}
