/** Options of the sending page, or else of the server. */

import { type PageOptions, stateOf } from "../../src/protocol/transfer/request-state.ts";
import type { ChatModelRecord } from "../catalog/model-record.ts";

type Sent = { request: Request };

/** The options that apply to a request. */
export function pageOptionsOf({ request }: Sent, services: PageOptions): Required<PageOptions> {
  const ofPage = stateOf(request).pageOptions;
  return {
    strict: ofPage?.strict ?? services.strict,
    samplingDefaults: ofPage?.samplingDefaults ?? services.samplingDefaults ?? "api",
    parseSpecialTokens: ofPage?.parseSpecialTokens ?? services.parseSpecialTokens ?? true,
  };
}

/** Whether fields that the spec requires are mandatory. */
export function isStrict(sent: Sent, services: PageOptions): boolean {
  return pageOptionsOf(sent, services).strict;
}

/** The model with the options that it leaves to the page. */
export function withPageOptions(model: ChatModelRecord, sent: Sent, services: PageOptions): ChatModelRecord {
  const { samplingDefaults, parseSpecialTokens } = pageOptionsOf(sent, services);
  return {
    ...model,
    samplingDefaults: model.samplingDefaults ?? samplingDefaults,
    parseSpecialTokens: model.parseSpecialTokens ?? parseSpecialTokens,
  };
}
