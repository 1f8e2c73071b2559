/** What an engine is to the rest of the server. Engines know prompts and tokens: no HTTP, no metering. */

/** Where the files of a model lie. */
export interface ModelFiles {
  /** Folder that holds them, with a slash at its end. */
  sourceURL: string;
  /**
   * Address under which they are cached, ending in `/resolve/main/`. It names the version, so that new
   * weights never meet an old cache.
   */
  cacheURL: string;
  /** Every file that is known before the download, with its size and hash. */
  known: readonly ModelFile[];
  /** File name of the model library, relative to `sourceURL`, or its absolute URL. */
  library: string;
}

export interface ModelFile {
  name: string;
  bytes: number;
  /** Hexadecimal SHA-256; a file that differs is refused. */
  sha256?: string;
}

/** What the engine learnt of a model by loading it. */
export interface ChatModelFacts {
  /** Tokens that prompt and reply share. */
  contextWindow: number;
  /** The model's own chat template, as its configuration gives it. */
  conversation: ConversationTemplate;
  /** For example `webgpu: google swiftshader`. */
  device: string;
}

/** The part of an MLC `conv_template` that turns messages into text. */
export interface ConversationTemplate {
  /** Holds `{system_message}`. */
  systemTemplate: string;
  /** Used where a conversation has no system message of its own. */
  systemMessage: string;
  renderEmptySystemMessage: boolean;
  roles: { user: string; assistant: string; tool: string };
  /** Hold `{user_message}`, `{assistant_message}`, `{tool_message}`. */
  roleTemplates: { user: string; assistant: string; tool: string };
  /** After each message, in turn. */
  separators: string[];
  roleContentSeparator: string;
  roleEmptySeparator: string;
  addRoleAfterSystemMessage: boolean;
}

export interface Sampling {
  temperature: number;
  topP: number;
  frequencyPenalty: number;
  presencePenalty: number;
  repetitionPenalty: number;
  /** Undefined: another reply each time. */
  seed: number | undefined;
  /** Undefined: until the model ends or the context is full. */
  maxTokens: number | undefined;
}

/** One reply to generate. `prompt` is the whole text that the model shall see, rendered. */
export interface GenerateRequest {
  prompt: string;
  sampling: Sampling;
  /** The reply ends before any of these; no part of them is delivered. */
  stop: readonly string[];
}

export interface EngineUsage {
  /** The whole prompt. */
  promptTokens: number;
  /** How many of them were in the KV cache. */
  cachedTokens: number;
  /** Sampled tokens, the end token included. */
  completionTokens: number;
}

/** What an engine tells while it generates; `finish` or a thrown EngineError is always the last. */
export type EngineStep =
  | { type: "text"; text: string; usage: EngineUsage }
  | { type: "finish"; reason: "stop" | "length" | "abort"; usage: EngineUsage };

export interface LoadProgress {
  phase: "download" | "compile";
  loadedBytes: number;
  totalBytes: number;
  fraction: number;
}

/** A chat engine with one model loaded. It runs one reply at a time: its owner queues. */
export interface ChatEngine {
  readonly facts: ChatModelFacts;
  /** Tokens of `prompt`, as {@link generate} would feed them. */
  countTokens(prompt: string): Promise<number>;
  /**
   * Generates until the end, a stop string, the limit or an abort. An abort still ends with `finish`, so that
   * usage is exact; leaving the iteration early aborts and waits until the engine is free again.
   *
   * @throws {EngineError}
   */
  generate(request: GenerateRequest, signal: AbortSignal): AsyncGenerator<EngineStep, void>;
  /** Frees all memory at once by ending the engine's worker. */
  dispose(reason: string): void;
}
