import { type MeteredUse, stateOf } from "../../../src/protocol/transfer/request-state.ts";
import type { ResolvedModel } from "../../catalog/resolve.ts";
import type { MeteredRequest, RequestMeter } from "../../usage/metering/meter.ts";
import type { RequestContext, Services } from "../endpoint.ts";
import { engineOf, gpuTypeOf } from "../served-by.ts";
import { meterWithLimits } from "./meter-with-limits.ts";
import { meterWithState } from "./meter-with-state.ts";

/** Starts the meter of a request that a local model serves. */
export function beginMeter(
  context: RequestContext,
  services: Services,
  what: { endpoint: string; model: ResolvedModel; stream: boolean },
): RequestMeter {
  const { record, tier } = what.model;
  const metered = {
    endpoint: what.endpoint,
    tier,
    model: record.deployment?.model ?? record.id,
    stream: what.stream,
    ...(tier === "dedicated" ? { deploymentName: record.id, gpuType: gpuTypeOf(record, services) } : {}),
  };
  return openMeter(context, services, metered, engineOf(record, services));
}

/**
 * Starts the meter of a request, under its own id or that of its batch line; also updates the limits of its key.
 *
 * @param engine returns the name of the engine, once known
 */
export function openMeter(
  { request: sent, requestId, holder, batch, admission }: RequestContext,
  services: Services,
  what: Omit<MeteredRequest, "transactionId" | "account">,
  engine: MeteredUse["engine"],
): RequestMeter {
  const transactionId = batch?.transactionId ?? requestId;
  const { attempt } = stateOf(sent);
  const request = { ...what, transactionId, account: holder.account, attempt };
  const meter = services.meter.begin(request);
  const limited = admission ? meterWithLimits(meter, request, admission.take(), batch !== undefined) : meter;
  return meterWithState(limited, request, stateOf(sent), engine);
}
