/** The handler interface of endpoints. */

import type { BatchStore } from "../batch/batch-store.ts";
import type { FileStore } from "../batch/files/file-store.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Clock } from "../clock.ts";
import type { EmbeddingService } from "../engines/embeddings/embedding-service.ts";
import type { QueuePosition } from "../engines/scheduling/model-queue.ts";
import type { EngineSupervisor } from "../engines/scheduling/supervisor.ts";
import type { LoadImage } from "../generation/images/preprocess-image.ts";
import type { ReplyCache } from "../prompt/reply-cache.ts";
import type { Billing } from "../usage/billing/billing.ts";
import type { Admission } from "../usage/keys/admission-handle.ts";
import type { KeyHolder } from "../usage/keys/key-ring.ts";
import type { Meter } from "../usage/metering/meter.ts";
import type { ItemCache } from "./responses/item-cache.ts";
import type { Upstream } from "./upstream/upstream.ts";

/** Server components that endpoints use. */
export interface Services {
  clock: Clock;
  catalog: Catalog;
  engines: EngineSupervisor;
  embeddings: EmbeddingService;
  meter: Meter;
  /** Raw replies of the model, for follow-up requests of a conversation. */
  replyCacheOf(account: string): (signal: AbortSignal) => Promise<ReplyCache>;
  /** Output items of recent responses, for `item_reference`. */
  items(): Promise<ItemCache>;
  /** Whether fields that the spec requires, but SDKs omit, are mandatory, unless the page's options say otherwise. */
  strict: boolean;
  /** Whose sampling defaults apply, unless the model or the page's options say otherwise. @default "api" */
  samplingDefaults?: "api" | "model";
  /** Likewise, whether special tokens in messages are read as such. @default true */
  parseSpecialTokens?: boolean;
  /** Reads an image of a request. */
  loadImage: LoadImage;
  /** Whether images are downloaded. @default false */
  remoteImages?: boolean;
  /** Opened on the first use of either. */
  stores(): Promise<{ files: FileStore; batches: BatchStore }>;
  /** Absent if nothing is forwarded. */
  upstream?: Upstream;
  /** Loaded on first use. Absent if billing is off. */
  billing?(): Promise<Billing>;
}

/** A request and its metadata. */
export interface RequestContext {
  /** UUID v4: the `x-request-id` header and the transaction id of its usage. */
  requestId: string;
  /** Sequence number of the request on this server. */
  arrival: number;
  holder: KeyHolder;
  request: Request;
  /** Path parameters, decoded. */
  params: Record<string, string>;
  /** Set by the batch runner for batch lines; the id under which usage is metered. */
  batch?: { transactionId: string };
  /** Present for keys with limits; the meter of the request takes it over and finishes it. */
  admission?: Admission;
}

export type Handler = (context: RequestContext, services: Services) => Promise<Response>;

/** Batch lines run only when no interactive request waits. */
export function queuePositionOf({ batch, arrival }: RequestContext): QueuePosition {
  return { priority: batch ? "background" : "interactive", arrival };
}
