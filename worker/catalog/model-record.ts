import type { ModelFiles } from "../engines/types.ts";

/** One model that can be addressed. */
export interface ModelRecord {
  /** What a request passes as `model`. */
  id: string;
  engine: "webllm";
  /** Unix seconds. */
  created: number;
  ownedBy: string;
  /** Tokens that prompt and reply share. */
  contextWindow: number;
  files: ModelFiles;
}
