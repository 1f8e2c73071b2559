import { addressOf, section } from "../../store/navigation.ts";
import { Panel } from "../../ui/panel.tsx";
import { KeysSection } from "./keys-section.tsx";
import { PreferencesSection } from "./preferences-section.tsx";
import "./settings.css";

const SECTIONS = [
  ["keys", "API keys"],
  ["preferences", "Preferences"],
] as const;

export default function SettingsPanel() {
  const shown = section.value === "preferences" ? "preferences" : "keys";
  return (
    <Panel
      title="Settings"
      lead="Keys for the apps and people that use this runtime, and what this console keeps."
      actions={
        <nav class="segmented" aria-label="Settings">
          {SECTIONS.map(([id, title]) => (
            <a key={id} href={addressOf("settings", id)} aria-current={id === shown ? "page" : undefined}>
              {title}
            </a>
          ))}
        </nav>
      }
    >
      {shown === "keys" ? <KeysSection /> : <PreferencesSection />}
    </Panel>
  );
}
