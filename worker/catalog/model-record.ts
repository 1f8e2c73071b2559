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
  /** Changes whenever the same seed may give another reply: it becomes `system_fingerprint`. */
  version: string;
  /** How thinking is switched on and off; undefined: the model does not think. */
  reasoning?: ReasoningStyle;
  files: ModelFiles;
}

/** `system-line`: the system message ends with a line that asks for thinking. */
export type ReasoningStyle = { type: "system-line"; line: string; open: string; close: string };
