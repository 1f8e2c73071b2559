/** Members of wllama 3.13.0 that its types hide: it sends images with chat requests only, whose prompts it renders. */

import type { RawCompletionChunk, Wllama } from "@wllama/wllama/esm/index.js";

interface Internals {
  proxy: {
    wllamaAction(name: "completion", message: object): Promise<{ success: boolean; req_id: number }>;
  };
  getResponse(
    options: { onData: (chunk: RawCompletionChunk) => void; abortSignal: AbortSignal },
    isStream: true,
    id: number,
  ): Promise<unknown>;
}

/**
 * `createCompletion` with images.
 *
 * @param request llama.cpp's parameters; its prompt has a media marker for each file
 * @param files images in a format of stb_image
 * @throws {Error} if llama.cpp refuses the request
 */
export async function completeWithFiles(
  wllama: Wllama,
  request: Record<string, unknown>,
  files: readonly Uint8Array[],
  options: { onData: (chunk: RawCompletionChunk) => void; abortSignal: AbortSignal },
): Promise<void> {
  const { proxy, getResponse } = wllama as unknown as Internals;
  const started = await proxy.wllamaAction("completion", {
    _name: "cmpl_req",
    is_chat: false,
    is_asr: false,
    data_json: JSON.stringify(request),
    files,
  });
  if (!started.success) throw new Error("The completion did not start.");
  await getResponse.call(wllama, options, true, started.req_id);
}
