import type { ChatModelInfo, Sampling, SamplingDefaults } from "../engine-api/chat-engine.ts";

/** Sampling as a request asks for it: what it leaves out has a default. */
export type RequestedSampling = Omit<Sampling, keyof SamplingDefaults> & SamplingDefaults;

/** OpenAI's; a `topK` of 0 allows all tokens. */
const API_DEFAULTS: Required<SamplingDefaults> = {
  temperature: 1,
  topP: 1,
  topK: 0,
  minP: 0,
  frequencyPenalty: 0,
  presencePenalty: 0,
  repetitionPenalty: 1,
};

/** What the publisher recommends: in the model's files, and for what these omit, in the catalogue. */
export function recommendedSampling(
  model: { recommendedSampling?: SamplingDefaults },
  info?: Pick<ChatModelInfo, "recommendedSampling">,
): SamplingDefaults | undefined {
  if (!model.recommendedSampling) return info?.recommendedSampling;
  return { ...model.recommendedSampling, ...info?.recommendedSampling };
}

/** The publisher's recommendation, for a model whose requests default to it. */
export function modelDefaults(
  model: { samplingDefaults?: "api" | "model"; recommendedSampling?: SamplingDefaults },
  info?: Pick<ChatModelInfo, "recommendedSampling">,
): SamplingDefaults | undefined {
  return model.samplingDefaults === "model" ? recommendedSampling(model, info) : undefined;
}

/** @param recommended what the model's publisher recommends, if it applies */
export function withDefaults(requested: RequestedSampling, recommended: SamplingDefaults = {}): Sampling {
  return { ...requested, ...samplingOf(requested, recommended) };
}

/** The values that apply: of the request, else of the publisher, else of the API. */
export function samplingOf(
  { temperature, topP, topK, minP, ...requested }: SamplingDefaults,
  recommended: SamplingDefaults = {},
): Required<SamplingDefaults> {
  const { frequencyPenalty, presencePenalty, repetitionPenalty } = requested;
  const given = { temperature, topP, topK, minP, frequencyPenalty, presencePenalty, repetitionPenalty };
  const sent = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { ...API_DEFAULTS, ...recommended, ...sent };
}
