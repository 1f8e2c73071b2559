/**
 * Blocks other sites from a loopback server. Browsers send any page's requests there, and DNS rebinding lets the page
 * read the responses; only the `Host` and `Origin` headers identify such requests.
 */

import type { IncomingMessage } from "node:http";

const LOOPBACK_NAMES = new Set(["localhost", "127.0.0.1", "[::1]"]);

interface ForeignRequest {
  code: "host_not_allowed" | "origin_not_allowed";
  message: string;
}

/** Why a request is rejected; undefined for local programs and the server's own pages. */
export function findForeign({ headers }: Pick<IncomingMessage, "headers">): ForeignRequest | undefined {
  const host = (headers.host ?? "").toLowerCase();
  const { origin } = headers;
  // Any port, because a tunnel may use another one.
  if (!LOOPBACK_NAMES.has(host.replace(/:\d+$/, ""))) {
    const message =
      "This server answers under 127.0.0.1, localhost and [::1] only. Use one of them in the address.";
    return { code: "host_not_allowed", message };
  }
  if (origin !== undefined && origin.toLowerCase() !== `http://${host}`) {
    const message = "This server answers no page of another origin. Send the request from a program.";
    return { code: "origin_not_allowed", message };
  }
  return undefined;
}
