/**
 * `infetch/port`: the server without `createRuntime()`, for apps that pass its ports to frames and workers themselves.
 * Importing it registers the transfer handlers for Request and Response with the app's copy of comlink (an optional
 * peer dependency).
 *
 * @example
 * import { joinServer, startServer } from "infetch/port";
 * const server = await startServer();
 * const { remote, apiKey } = await joinServer(server.openPort());
 * const headers = { authorization: `Bearer ${apiKey}` };
 * const response = await remote.fetch(new Request("https://any.example/v1/models", { headers }));
 *
 * @module
 */

import "../protocol/transfer/transfer.ts";

export type { BillingEndpoint } from "../protocol/rpc/billing-endpoint.ts";
export type { DeploymentsEndpoint } from "../protocol/rpc/deployments.ts";
export type { KeysEndpoint } from "../protocol/rpc/keys.ts";
export type { ModelsEndpoint } from "../protocol/rpc/models.ts";
export type { Result, WireError } from "../protocol/rpc/result.ts";
export type { Rpc } from "../protocol/rpc/rpc.ts";
export { requestIdOf } from "../protocol/transfer/request-state.ts";
export { type JoinedServer, type JoinOptions, joinServer, type RemoteServer } from "./join-server.ts";
export { type StartedServer, startServer } from "./start-server.ts";
