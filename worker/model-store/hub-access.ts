/** Access to a hub: where its token is sent, and what its refusals mean. */

import { EngineError } from "../engine-api/engine-error.ts";
import type { HubSource } from "../engine-api/model-files.ts";

/**
 * Request headers for an address. The token is sent to the hub alone: browsers remove it when the hub redirects to its
 * CDN, as the Fetch standard requires.
 */
export function hubHeaders(url: string, hub: HubSource | undefined): Record<string, string> {
  if (hub?.token === undefined || !url.startsWith(hub.url)) return {};
  return { authorization: `Bearer ${hub.token}` };
}

/** The error for a response that denies access to a model; undefined for any other response. */
export function hubRefusal({ status, headers }: Response, hub: HubSource): EngineError | undefined {
  const { url, repository, token } = hub;
  const code = headers.get("x-error-code");
  const page = new URL(repository, url).href;
  if (code === "GatedRepo" && token === undefined) {
    return new EngineError(
      "model_gated",
      `'${repository}' is gated. Accept its conditions at ${page}, and set hub.token to a token of that account.`,
    );
  }
  if (code === "GatedRepo" && status === 403) {
    return new EngineError(
      "model_gated",
      `'${repository}' is gated, and the account of hub.token has no access to it. Ask for access at ${page}.`,
    );
  }
  if (code === "RepoNotFound") {
    const remedy =
      token === undefined
        ? "If it is private, set hub.token to a token that may read it."
        : "If it is private, hub.token may not read it.";
    return new EngineError("hub_model_not_found", `The hub has no model '${repository}'. ${remedy}`);
  }
  if (status === 401 && token !== undefined) {
    return new EngineError(
      "hub_token_invalid",
      `The hub at ${url} does not accept hub.token: it is wrong, expired or revoked.`,
    );
  }
  return undefined;
}

/** The error for a revision that the repository does not have. */
export function noSuchRevision({ repository, revision }: HubSource): EngineError {
  return new EngineError(
    "hub_revision_not_found",
    `The hub has '${repository}', but no branch, tag or commit '${revision}' of it.`,
  );
}
