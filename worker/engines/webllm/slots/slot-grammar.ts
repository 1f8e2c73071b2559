import type { ResponseFormat } from "@mlc-ai/web-llm";
import type { Constraint, TagFormat } from "../../../engine-api/constraint.ts";
import { EngineError } from "../../../engine-api/engine-error.ts";
import { makeRoomFor } from "../tvm/compiled-grammars.ts";
import type { GrammarMatcher, Pipeline } from "../tvm/pipeline.ts";

type Owner = Pick<Pipeline, "grammarCompiler" | "grammarMatcher" | "prepareGrammarMatcherForSampling">;

const REFUSED =
  "The engine cannot compile the grammar of this request's tools or response format. Simplify their schemas.";

/** The constraint of one reply: web-llm's matcher, taken from the pipeline while the reply runs. */
export class SlotGrammar {
  readonly #pipeline: Owner;
  readonly #format: ResponseFormat;
  #matcher: GrammarMatcher | undefined;

  constructor(pipeline: Owner, constraint: Constraint) {
    this.#pipeline = pipeline;
    this.#format = responseFormat(constraint);
  }

  /**
   * Compiles the grammar. One at a time: web-llm leaves the matcher in the pipeline.
   *
   * @throws {EngineError} `invalid_request` for one that xgrammar refuses
   */
  async prepare(): Promise<void> {
    if (this.#matcher) return;
    makeRoomFor(this.#format, this.#pipeline);
    try {
      await this.#pipeline.prepareGrammarMatcherForSampling({ response_format: this.#format });
    } catch (cause) {
      throw new EngineError("invalid_request", REFUSED, { cause });
    }
    this.#matcher = this.#pipeline.grammarMatcher;
    if (!this.#matcher) throw new Error("web-llm made no grammar matcher.");
    this.#pipeline.grammarMatcher = undefined;
  }

  /** One bit per token: 0 for those that the grammar forbids now. */
  readonly mask = async (): Promise<Int32Array> => this.#matcher!.getNextTokenBitmask();

  /** @throws {Error} for a token that the mask forbade */
  accept(id: number): void {
    if (!this.#matcher?.acceptToken(id)) throw new Error("The grammar refused the sampled token.");
  }

  /** Not given back: web-llm would take it for a matcher of the grammar it compiled last. Compiled ones are cached. */
  release(): void {
    const matcher = this.#matcher;
    this.#matcher = undefined;
    matcher?.dispose();
  }
}

/** web-llm's name for a constraint. */
export function responseFormat(constraint: Constraint): ResponseFormat {
  if (constraint.type === "grammar") return { type: "grammar", grammar: constraint.ebnf };
  const tag = JSON.stringify(constraint.tag, (_, value: Partial<TagFormat> | null) => {
    const grammar = tagDispatch(value as TagFormat | null);
    return grammar === undefined ? value : { type: "grammar", grammar };
  });
  return { type: "structural_tag", structural_tag: tag } as ResponseFormat;
}

/** The formats that are EBNF in xgrammar: structural tags know one end, and their triggers share no rules. */
function tagDispatch(format: TagFormat | null): string | undefined {
  if (format?.type === "text_until")
    return `root ::= TagDispatch(stop_eos=false, stop_str=(${format.ends.map((end) => JSON.stringify(end)).join(", ")}))`;
  if (format?.type !== "dispatch") return undefined;
  const { triggers, rules, stop_after_first: once } = format;
  const pairs = triggers.map(({ trigger, next }) => `(${JSON.stringify(trigger)}, ${next})`);
  const options = once ? ["loop_after_dispatch=false"] : [];
  return `root ::= TagDispatch(${[...pairs, ...options].join(", ")})\n${rules}`;
}
