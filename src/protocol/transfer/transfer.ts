/**
 * Both ends of the transfer of Request and Response. Import this module on both sides to use
 * `Comlink.wrap<ServerEndpoint>(port).fetch(new Request(…))`.
 */

import "./transfer-client.ts";
import "./transfer-server.ts";
