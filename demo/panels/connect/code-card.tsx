import { useSignal } from "@preact/signals";
import { chatModels } from "../../store/models.ts";
import { addressOf } from "../../store/navigation.ts";
import { runtime } from "../../store/runtime.ts";
import { bind } from "../../ui/bind.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Select } from "../../ui/fields.tsx";
import { Card } from "../../ui/panel.tsx";
import { ScrollArea } from "../../ui/scroll-area.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { SNIPPETS } from "./snippets.ts";

/** Code snippets to copy. */
export function CodeCard() {
  const chosen = useSignal(SNIPPETS[0]!.id);
  const wanted = useSignal("");
  const { apiKey } = runtime();
  const ids = chatModels.value.map(({ id }) => id);
  const model = ids.includes(wanted.value) ? wanted.value : (ids[0] ?? "infetch-tiny");
  const snippet = SNIPPETS.find(({ id }) => id === chosen.value)!;
  const code = snippet.code({ apiKey, model });
  return (
    <Card title="Code" aside={<CopyButton text={code} what="code" labelled />}>
      <Segmented
        label="Client"
        options={SNIPPETS.map(({ id, title }) => [id, title] as const)}
        {...bind(chosen)}
      />
      <p class="soft small-text">{snippet.note}</p>
      {ids.length > 1 ? (
        <Select label="Model" options={ids.map((id) => [id, id] as const)} {...bind(wanted)} value={model} />
      ) : null}
      <ScrollArea label="Code to copy">
        <pre class="code-block">
          <code>{code}</code>
        </pre>
      </ScrollArea>
      <p class="hint">
        This page's own key, above and in the service worker's request, expires with the page and works in
        this browser only. Apps use <code>runtime.apiKey</code>, or a permanent key from{" "}
        <a href={addressOf("settings", "keys")}>Settings › API keys</a>.
      </p>
    </Card>
  );
}
