import { count } from "../../format/format.ts";
import { DescriptionList } from "../../ui/description-list.tsx";
import { stats } from "./stats.ts";

/** What a loaded chat model does now. */
export function Activity({ model }: { model: string }) {
  const now = stats.value[model];
  if (!now) return null;
  const { running, waiting, tokensPerSecond, cacheHitRate, pages } = now;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    <div class="model-activity" role="group" aria-label={`Activity of ${model}`}>
      <DescriptionList
        class="model-details"
        rows={[
          ["Requests", `${running} running, ${waiting} waiting`],
          ["Speed", `${Math.round(tokensPerSecond)} tokens/s`],
          ["Prompt cache hits", cacheHitRate === null ? null : `${Math.round(100 * cacheHitRate)}\u00a0%`],
          ["Free cache pages", pages ? `${pages.free} of ${pages.total}` : null],
          ["Kept for later", pages ? count(pages.retained, "page") : null],
        ]}
      />
    </div>
  );
}
