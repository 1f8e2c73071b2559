/** Recognises a model's tool format by the text of its template, as llama.cpp does, not by the model's name. */

import { apertus } from "./apertus.ts";
import { command } from "./command.ts";
import { commandAction } from "./command-action.ts";
import { deepseek } from "./deepseek.ts";
import { deepseekV4, deepseekV32, deepseekV41, gigachat35 } from "./deepseek-dsml.ts";
import { deepseekV31 } from "./deepseek-v31.ts";
import { dots } from "./dots.ts";
import { functionGemma, gemma4 } from "./function-gemma.ts";
import { functionary } from "./functionary.ts";
import { functools } from "./functools.ts";
import { gigachat, gigachat31 } from "./gigachat.ts";
import {
  glm45,
  glm47,
  hunyuan3,
  hunyuan3Open,
  hunyuan4,
  iquestCoder2,
  iquestQ1,
  k2Horizon,
  longcat2,
} from "./glm.ts";
import { granite } from "./granite.ts";
import { graniteFc } from "./granite-fc.ts";
import { harmony } from "./harmony.ts";
import { hermes } from "./hermes.ts";
import { inkling } from "./inkling.ts";
import { internlm } from "./internlm.ts";
import { kimi } from "./kimi.ts";
import { kimiK3 } from "./kimi-k3.ts";
import { lfm2 } from "./lfm2.ts";
import { list } from "./list.ts";
import { llama } from "./llama.ts";
import { longcat } from "./longcat.ts";
import { markedInvoke } from "./marked-invoke.ts";
import { minicpm } from "./minicpm.ts";
import { minicpm5 } from "./minicpm5.ts";
import { minimax } from "./minimax.ts";
import { minimaxM1 } from "./minimax-m1.ts";
import { minimaxM3 } from "./minimax-m3.ts";
import { mistral } from "./mistral.ts";
import { mistralNamed } from "./mistral-named.ts";
import { muse } from "./muse.ts";
import { functionary32, glm4 } from "./named-lines.ts";
import { nemotron } from "./nemotron.ts";
import { nemotronMini } from "./nemotron-mini.ts";
import { olmo3 } from "./olmo3.ts";
import { pangu } from "./pangu.ts";
import { phi } from "./phi.ts";
import { plamo3 } from "./plamo3.ts";
import { pythonic } from "./pythonic.ts";
import { solar } from "./solar.ts";
import { solar2 } from "./solar2.ts";
import { step3 } from "./step3.ts";
import { toolCalls } from "./tool-calls.ts";
import type { ToolFormat } from "./tool-format.ts";
import { mimo, seedOss, xml, zaya } from "./xml.ts";

/** Formats with more specific marks first: XML calls are also inside `<tool_call>`. */
export const TOOL_FORMATS: readonly ToolFormat[] = [
  harmony,
  muse,
  inkling,
  mimo,
  xml,
  seedOss,
  zaya,
  minimax,
  minimaxM3,
  dots,
  step3,
  markedInvoke,
  glm47,
  glm45,
  longcat2,
  hunyuan3,
  hunyuan3Open,
  hunyuan4,
  k2Horizon,
  iquestCoder2,
  iquestQ1,
  minicpm,
  minicpm5,
  functionary,
  functionary32,
  glm4,
  pangu,
  lfm2,
  functionGemma,
  gemma4,
  deepseek,
  deepseekV31,
  deepseekV41,
  deepseekV32,
  deepseekV4,
  gigachat35,
  mistralNamed,
  mistral,
  command,
  commandAction,
  nemotron,
  nemotronMini,
  kimi,
  kimiK3,
  solar,
  solar2,
  plamo3,
  apertus,
  olmo3,
  internlm,
  longcat,
  gigachat,
  gigachat31,
  toolCalls,
  minimaxM1,
  granite,
  graniteFc,
  phi,
  functools,
  hermes,
  list,
  pythonic,
  llama,
];

/** The tool format of a template, or undefined if it shows none that is known. */
export function recogniseToolFormat(template: string): ToolFormat | undefined {
  return matchingFormats(template)[0];
}

/** The formats that a template's text shows, the most specific first. */
export function matchingFormats(template: string): ToolFormat[] {
  return TOOL_FORMATS.filter((format) => format.matches(template));
}
