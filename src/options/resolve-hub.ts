/** Resolves the options of the hub. */

import type { HubServerOptions } from "../protocol/options/server-options.ts";
import { folderURL } from "./addresses.ts";
import type { HubOptions } from "./option-groups.ts";

const HUB_URL = "https://huggingface.co/";

/** @throws {TypeError} for a token that would be sent where others can read it */
export function resolveHub({ url, token, librariesURL }: HubOptions, here: string): HubServerOptions {
  const hubURL = folderURL("hub.url", url ?? HUB_URL, here).href;
  if (token != null && !isProtected(new URL(hubURL))) {
    throw new TypeError(`hub.token is sent over https only, not to ${hubURL}.`);
  }
  return {
    url: hubURL,
    ...(token == null ? {} : { token }),
    ...(librariesURL == null ? {} : { librariesURL: folderURL("hub.librariesURL", librariesURL, here).href }),
  };
}

function isProtected({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
}
