import type { IncomingMessage, ServerResponse } from "node:http";
import { readAddress } from "../../../scripts/hub/addresses.ts";
import { describeModel, treePage } from "../../../scripts/hub/model-api.ts";
import { sendFile } from "../../../scripts/hub/send-file.ts";
import { onnxRepository } from "./repositories.ts";

/** Serves a hub with its API, from the server's own origin. Returns false for a path that it does not have. */
export async function serveRepository(
  request: IncomingMessage,
  response: ServerResponse,
  hubURL: string,
): Promise<boolean> {
  const address = readAddress(new URL(request.url ?? "/", hubURL).pathname);
  const repository = onnxRepository(address?.name.replace(/^acme\//, "") ?? "");
  const found = repository?.resolve(address!.revision);
  if (!address || !repository || !found) return false;
  const of = { hubURL, repository, revision: address.revision, ...found };
  if (address.type === "model" || address.type === "tree") {
    const body = address.type === "model" ? describeModel(of) : treePage(of, 0, 1_000).body;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(body));
    return true;
  }
  const file = found.files.get(address.path);
  if (!file) return false;
  await sendFile(request, response, file, { "content-type": "application/octet-stream" }, undefined);
  return true;
}
