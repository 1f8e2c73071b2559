import type { LoadProgress } from "../engine-api/load-progress.ts";
import { RateLimits } from "./download/rate-limits.ts";
import type { StoreEnvironment } from "./environment.ts";

/** The environment of one load, whose files wait together for servers that limit the rate of requests. */
export function loadEnvironment(
  environment: StoreEnvironment,
  onProgress: (progress: LoadProgress) => void,
): { environment: StoreEnvironment; onProgress: (progress: LoadProgress) => void } {
  let last: LoadProgress = { phase: "download", loadedBytes: 0, totalBytes: 0, fraction: 0 };
  const limits = new RateLimits(environment, (waitsUntil) => onProgress({ ...last, waitsUntil }));
  return {
    environment: { ...environment, limits },
    onProgress: (progress) => {
      last = progress;
      onProgress(progress);
    },
  };
}
