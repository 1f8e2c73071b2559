/** Writes the table of chat models of `docs/models.md`. */

import { catalogueChatModels } from "../../worker/catalog/chat/chat-models.ts";
import { prebuiltModels } from "../build/prebuilt-models.ts";

const HEAD = "| chat model | GPU memory | without WebGPU | tools | reasoning | licence |";

export function chatModelTable(): string {
  const rows = catalogueChatModels("https://hub.test/", prebuiltModels()).map((model) => {
    const { id, memoryBytes = 0, builds, abilities, licence } = model;
    const cells = [
      `\`${id}\``,
      `${(memoryBytes / 1e9).toFixed(1)} GB`,
      yes(builds.llamacpp !== undefined),
      yes(abilities?.tools),
      yes(abilities?.reasoning),
      licence ?? "",
    ];
    return `| ${cells.join(" | ")} |`;
  });
  return [HEAD, "|---|---|---|---|---|---|", ...rows].join("\n");
}

/** The guide with the current table. */
export function withChatModels(guide: string): string {
  const at = guide.indexOf(HEAD);
  const end = guide.indexOf("\n\n", at);
  return guide.slice(0, at) + chatModelTable() + guide.slice(end);
}

function yes(is: boolean | undefined): string {
  return is ? "yes" : "";
}
