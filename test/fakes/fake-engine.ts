import type { CachePages } from "../../src/protocol/events.ts";
import type { TemplateSource } from "../../worker/chat-template/chat-template.ts";
import type {
  ChatEngine,
  ChatModelInfo,
  EngineStep,
  GenerateRequest,
  PromptToken,
  SamplingDefaults,
} from "../../worker/engine-api/chat-engine.ts";
import { EngineError } from "../../worker/engine-api/engine-error.ts";
import type { LoadProgress } from "../../worker/engine-api/load-progress.ts";
import { LogprobAligner } from "../../worker/engines/chat/logprob-aligner.ts";
import type { LoadableModel } from "../../worker/engines/scheduling/start-engine.ts";
import { ReplyReader } from "../../worker/reply/reply-reader.ts";

/** Behaviour of a fake engine. */
export interface FakeBehaviour {
  /** The pieces of the reply, one "token" each. */
  reply: (prompt: string, request: GenerateRequest) => string[];
  /** @default "webllm" */
  engine?: ChatModelInfo["engine"];
  /** The model's own template. @default MLC's ChatML */
  template?: TemplateSource;
  /** What the model's publisher recommends. */
  recommendedSampling?: SamplingDefaults;
  /** Whether it knows the log probabilities of prompts. */
  scoresPrompts?: boolean;
  /** Awaited before it reports them. */
  score?: () => Promise<void>;
  /** The most replies at once. @default 1 */
  parallel?: number;
  /** Throws after this many pieces. */
  failAfter?: number;
  /** Awaited before the engine is started. */
  load?: (
    model: LoadableModel,
    onProgress: (progress: LoadProgress) => void,
    signal: AbortSignal,
    engine: FakeEngine,
  ) => Promise<void>;
  /** Awaited before each piece. */
  gate?: (request: GenerateRequest, signal: AbortSignal) => Promise<void>;
}

const CHATML = {
  systemTemplate: "<|im_start|>system\n{system_message}<|im_end|>\n",
  systemMessage: "",
  renderEmptySystemMessage: false,
  roles: { user: "<|im_start|>user", assistant: "<|im_start|>assistant", tool: "<|im_start|>user" },
  roleTemplates: { user: "{user_message}", assistant: "{assistant_message}", tool: "{tool_message}" },
  separators: ["<|im_end|>\n"],
  roleContentSeparator: "\n",
  roleEmptySeparator: "\n",
  addRoleAfterSystemMessage: true,
};

/** For tests of the code around an engine, not of an engine itself. A prompt token is one character. */
export class FakeEngine implements ChatEngine {
  readonly info: ChatModelInfo;
  readonly counts = { promptTokens: 0, cachedTokens: 0, completionTokens: 0 };
  readonly requests: GenerateRequest[] = [];
  disposed = false;
  running = 0;
  mostRunning = 0;
  #calls = 0;
  readonly #behaviour: FakeBehaviour;

  constructor(behaviour: FakeBehaviour) {
    this.#behaviour = behaviour;
    const { engine = "webllm", template, recommendedSampling, parallel, scoresPrompts } = behaviour;
    this.info = {
      engine,
      fingerprint: "0123456789",
      contextWindow: 4096,
      vocabularySize: 1000,
      ...(template ? { template } : { conversation: CHATML }),
      ...(recommendedSampling ? { recommendedSampling } : {}),
      ...(parallel === undefined ? {} : { parallel }),
      ...(scoresPrompts ? { scoresPrompts } : {}),
      device: "fake",
    };
  }

  async countTokens(prompt: string | readonly number[]): Promise<number> {
    return prompt.length;
  }

  async decode(tokens: readonly number[]): Promise<string> {
    return String.fromCharCode(...tokens);
  }

  async pages(): Promise<CachePages | null> {
    return this.#behaviour.engine === "llamacpp" ? null : { total: 10, free: 7 - this.running, retained: 3 };
  }

  async retainedTokens(): Promise<number> {
    return 48;
  }

  dispose(): void {
    this.disposed = true;
  }

  async *generate(request: GenerateRequest, signal: AbortSignal): AsyncGenerator<EngineStep, void> {
    const { parallel = 1 } = this.info;
    if (this.running >= parallel)
      throw new Error(`The engine was handed more than ${parallel} requests at once.`);
    this.running++;
    this.mostRunning = Math.max(this.mostRunning, this.running);
    this.requests.push(request);
    const reader = new ReplyReader(request.reader, () => `call_${String(++this.#calls).padStart(24, "0")}`);
    const aligner = new LogprobAligner();
    const prompt = typeof request.prompt === "string" ? request.prompt : await this.decode(request.prompt);
    const usage = { promptTokens: prompt.length, cachedTokens: 0, completionTokens: 0, reasoningTokens: 0 };
    this.counts.promptTokens += prompt.length;
    let raw = "";
    let reason: "stop" | "length" | "abort" = "stop";
    try {
      if (request.promptLogprobs !== undefined) {
        await this.#behaviour.score?.();
        yield { type: "prompt", tokens: scored(prompt, request.promptLogprobs), usage: { ...usage } };
      }
      const isCounted = request.sampling.maxTokens === 0;
      if (isCounted) reason = "length";
      for (const piece of isCounted ? [] : this.#behaviour.reply(prompt, request)) {
        await this.#behaviour.gate?.(request, signal);
        if (signal.aborted) reason = "abort";
        if (reason === "abort" || reader.ended) break;
        if (this.#behaviour.failAfter === usage.completionTokens)
          throw new EngineError("engine_lost", "It broke.");
        raw += piece;
        usage.completionTokens++;
        this.counts.completionTokens++;
        const wasReasoning = reader.reasoning;
        const events = reader.push(piece);
        if (reader.reasoning) usage.reasoningTokens++;
        const sampled =
          request.topLogprobs === undefined
            ? []
            : [{ token: piece, bytes: Array.from(new TextEncoder().encode(piece)), logprob: -0.5, top: [] }];
        aligner.record(sampled, piece, !wasReasoning && !reader.reasoning);
        const logprobs = aligner.deliver(reader.takeSpans());
        if (events.length > 0) yield { type: "reply", events, logprobs, usage: { ...usage } };
        if (usage.completionTokens === request.sampling.maxTokens) {
          reason = "length";
          break;
        }
      }
      const rest = reader.flush();
      if (rest.length > 0 && reason !== "abort") {
        const logprobs = aligner.deliver(reader.takeSpans());
        yield { type: "reply", events: rest, logprobs, usage: { ...usage } };
      }
      const whole = reason === "stop" && !reader.ended;
      yield { type: "finish", reason, usage: { ...usage }, ...(whole ? { raw } : {}) };
    } finally {
      this.running--;
    }
  }
}

/** Each character is a token; the one at `at` has the log probability -at, and rank 2 after "~". */
function scored(prompt: string, top: number): PromptToken[] {
  const bytesOf = (text: string): number[] => Array.from(new TextEncoder().encode(text));
  const likeliest = [
    { id: 126, token: "~", bytes: bytesOf("~"), logprob: -0.125 },
    { id: 125, token: "}", bytes: bytesOf("}"), logprob: -9 },
  ];
  return Array.from(prompt, (token, at) => ({
    id: token.charCodeAt(0),
    token,
    bytes: bytesOf(token),
    ...(at > 0 ? { score: { logprob: -at, rank: 2, top: likeliest.slice(0, top) } } : {}),
  }));
}
