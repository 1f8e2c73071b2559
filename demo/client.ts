/** The unmodified SDK, on the runtime of this page. Both views speak through it. */

import type { Runtime } from "infetch";
import OpenAI from "openai";

export function createClient({
  apiKey,
  baseURL,
  fetch,
}: Pick<Runtime, "apiKey" | "baseURL" | "fetch">): OpenAI {
  // The key opens nothing but this page: it was made here, and ends with the page.
  return new OpenAI({ apiKey, baseURL, fetch, dangerouslyAllowBrowser: true, maxRetries: 0 });
}
