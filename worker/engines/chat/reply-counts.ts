import type { EngineCounts, EngineUsage } from "../../engine-api/chat-engine.ts";

/** Sums up the usage of replies while they run. */
export class ReplyCounts implements EngineCounts {
  promptTokens = 0;
  cachedTokens = 0;
  completionTokens = 0;

  /** For one reply. @returns takes its usage so far, with each step */
  reply(): (usage: EngineUsage) => void {
    let last = { promptTokens: 0, cachedTokens: 0, completionTokens: 0 };
    return (usage) => {
      this.promptTokens += usage.promptTokens - last.promptTokens;
      this.cachedTokens += usage.cachedTokens - last.cachedTokens;
      this.completionTokens += usage.completionTokens - last.completionTokens;
      last = usage;
    };
  }
}
