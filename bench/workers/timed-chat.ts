/**
 * infetch's own engine worker, with one thing added before it starts. It is served in the place of the shipped
 * worker (`assetsURL`), so that nothing of this ships.
 */

import "./time-first-tokens.ts";
import "../../worker/engines/webllm/worker.ts";
