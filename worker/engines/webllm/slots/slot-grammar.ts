import type { ResponseFormat } from "@mlc-ai/web-llm";
import type { Constraint } from "../../api/types.ts";
import type { GrammarMatcher, Pipeline } from "../tvm/pipeline.ts";

/** The constraint of one reply: web-llm's matcher, taken from the pipeline while the reply runs. */
export class SlotGrammar {
  readonly #pipeline: Pick<Pipeline, "grammarMatcher" | "prepareGrammarMatcherForSampling">;
  readonly #taken: Promise<GrammarMatcher>;
  #matcher: GrammarMatcher | undefined;

  /** Starts to compile the grammar, while the prompt is fed. One at a time. */
  constructor(
    pipeline: Pick<Pipeline, "grammarMatcher" | "prepareGrammarMatcherForSampling">,
    constraint: Constraint,
  ) {
    this.#pipeline = pipeline;
    this.#taken = this.#take(responseFormat(constraint));
    // Reported by `mask`; a reply may end before.
    this.#taken.catch(() => {});
  }

  /** One bit per token: 0 for those that the grammar forbids now. */
  readonly mask = async (): Promise<Int32Array> => (await this.#taken).getNextTokenBitmask();

  /** @throws {Error} for a token that the mask forbade */
  accept(id: number): void {
    if (!this.#matcher?.acceptToken(id)) throw new Error("The grammar refused the sampled token.");
  }

  /** Gives the matcher back: the next reply with the same grammar uses it again. */
  async release(): Promise<void> {
    const matcher = await this.#taken.catch(() => undefined);
    if (!matcher) return;
    this.#pipeline.grammarMatcher?.dispose();
    this.#pipeline.grammarMatcher = matcher;
  }

  async #take(format: ResponseFormat): Promise<GrammarMatcher> {
    await this.#pipeline.prepareGrammarMatcherForSampling({ response_format: format });
    const matcher = this.#pipeline.grammarMatcher;
    if (!matcher) throw new Error("web-llm made no grammar matcher.");
    this.#pipeline.grammarMatcher = undefined;
    this.#matcher = matcher;
    return matcher;
  }
}

/** web-llm's name for a constraint. */
export function responseFormat(constraint: Constraint): ResponseFormat {
  if (constraint.type === "grammar") return { type: "grammar", grammar: constraint.ebnf };
  return { type: "structural_tag", structural_tag: JSON.stringify(constraint.tag) } as ResponseFormat;
}
