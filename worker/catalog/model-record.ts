import type { ChatEngineName, SamplingDefaults } from "../engine-api/chat-engine.ts";
import type { EmbeddingModel } from "../engine-api/embedding-model.ts";
import type { ChatBuilds, ModelFiles } from "../engine-api/model-files.ts";

/** Fields of every addressable model. */
interface RecordHead {
  /** What a request passes as `model`. */
  id: string;
  /** Unix seconds. */
  created: number;
  ownedBy: string;
  /** Hub name of the model that it is a build of; implies the conventions of its training. */
  baseModel?: string;
  /** Download size of a first load, if known. */
  downloadBytes?: number;
  /** GPU memory that it needs, if known. */
  memoryBytes?: number;
  /** As hubs write it, for example `apache-2.0`; absent if uncertain. */
  licence?: string;
  /** True until its manifest is read: only its name is known. */
  isUnread?: boolean;
  /** Loaded at server start and never evicted. */
  keepLoaded?: boolean;
  /** For a deployment: the catalogue or hub model that it deploys. */
  deployment?: { model: string };
  /** The same GGUF file as a model of the other kind, until a load has shown which one it is. */
  otherwise?: CatalogRecord;
}

/** A chat model. */
export interface ChatModelRecord extends RecordHead {
  kind: "chat";
  /** Tokens of prompt and response together, before the model is loaded; undefined if only the loaded model has it. */
  contextWindow: number | undefined;
  /** Maximum of `contextWindow`; undefined if it is only known from the model's files. */
  maxContextWindow?: number;
  /** How thinking is enabled and disabled; undefined: the model does not think. */
  reasoning?: ReasoningStyle;
  /** What its template supports; undefined until it is loaded, if only its files tell. */
  abilities?: { tools: boolean; reasoning: boolean };
  /** What its publisher recommends; its files come first. */
  recommendedSampling?: SamplingDefaults;
  /** `generic`: tools are described as JSON if the model's template has none. @default requests with tools are a 400 */
  tools?: "generic";
  /** Whose sampling defaults apply; undefined: as the runtime's option says. */
  samplingDefaults?: "api" | "model";
  /** Whether special tokens that messages spell out are read as such; undefined: as the runtime's option says. */
  parseSpecialTokens?: boolean;
  /** Available builds; at least one. */
  builds: ChatBuilds;
  /** Its MLC build without 16-bit kernels, for graphics cards that lack `shader-f16`; absent if there is none. */
  withoutF16?: WithoutF16;
  /** Forced engine; undefined: the best one for this device. */
  engine?: ChatEngineName;
}

/** What differs from the 16-bit build. */
export interface WithoutF16 {
  /** `mlc-ai/<name>-MLC` */
  hubName: string;
  memoryBytes: number;
  files: Omit<ModelFiles, "overrides">;
}

/**
 * `system-line`: the system message ends with `line` to enable thinking, or with `offLine` to disable it in a model
 * that thinks by default.
 */
export interface ReasoningStyle {
  type: "system-line";
  line: string;
  offLine?: string;
  open: string;
  close: string;
}

/** An embedding model. */
export interface EmbeddingModelRecord extends RecordHead {
  kind: "embedding";
  /** Tokens of one input; undefined until the model is loaded, if only its files tell. */
  contextWindow: number | undefined;
  embedding: EmbeddingModel;
}

/** Any entry of the catalogue. */
export type CatalogRecord = ChatModelRecord | EmbeddingModelRecord;

/** The model as one of that kind; undefined if it is not. */
export function asKind<Kind extends CatalogRecord["kind"]>(
  record: CatalogRecord,
  kind: Kind,
): Extract<CatalogRecord, { kind: Kind }> | undefined {
  const found = [record, record.otherwise].find((one) => one?.kind === kind);
  return found as Extract<CatalogRecord, { kind: Kind }> | undefined;
}
