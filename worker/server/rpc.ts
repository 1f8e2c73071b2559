/** Composes the RPC groups that pages call besides HTTP. */

import type { ServerOptions } from "../../src/protocol/options/server-options.ts";
import type { BillingEndpoint } from "../../src/protocol/rpc/billing-endpoint.ts";
import type { KeysEndpoint } from "../../src/protocol/rpc/keys.ts";
import type { Rpc } from "../../src/protocol/rpc/rpc.ts";
import type { Clock } from "../clock.ts";
import { browserEnvironment } from "../model-store/environment.ts";
import { lazyRpc } from "../rpc/lazy-rpc.ts";
import type { ServerCatalog } from "./catalog.ts";
import type { ServerEngines } from "./engines.ts";

interface RpcServices {
  options: ServerOptions;
  clock: Clock;
  billing: BillingEndpoint;
  keys: KeysEndpoint;
  models: ServerCatalog;
  engines: ServerEngines;
  /** Names of models served by the upstream. */
  forwarded: readonly string[];
  /** Preloads a model. */
  loadAhead(model: string): void;
}

export function openRpc(services: RpcServices): Rpc {
  const { options, clock, billing, keys, engines, forwarded, loadAhead } = services;
  const { catalog, deployments } = services.models;
  return {
    billing,
    keys,
    deployments: lazyRpc("deployments", async () => {
      const { deploymentsRpc } = await import("../rpc/deployments.ts");
      return deploymentsRpc({
        deployments,
        catalog,
        clock,
        isTaken: (name) => forwarded.includes(name),
        load: loadAhead,
        release: engines.release,
      });
    }),
    models: lazyRpc("models", async () => {
      const { modelsRpc } = await import("../rpc/models.ts");
      return modelsRpc({
        catalog,
        environment: { ...browserEnvironment(), storage: navigator.storage },
        load: engines.load,
        unload: engines.unload,
        cancel: engines.cancel,
        retainedTokens: engines.retainedTokens,
        forwarded,
        embeddingDevice: options.embeddings.device,
        llamacppDevice: options.llamacpp?.device,
      });
    }),
  };
}
