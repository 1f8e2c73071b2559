/** Loads the images of a request, and puts a placeholder for each into its messages: a part for requests with images. */

import type { Catalog } from "../../catalog/catalog.ts";
import type { ChatModelRecord } from "../../catalog/model-record.ts";
import { supportsVision } from "../../catalog/supports-vision.ts";
import { imagePlaceholder, MAX_IMAGES, type PromptImage } from "../../engine-api/prompt-image.ts";
import type { ChatRequest } from "../../generation/chat-request.ts";
import { type ApiError, badRequest } from "../../http/api-error.ts";
import type { ChatMessage, SentImage } from "../../prompt/messages.ts";
import { mayUseModel } from "../../usage/keys/scopes.ts";
import type { RequestContext, Services } from "../endpoint.ts";

/** Maximum size of a request's decoded images: they stay in memory while the request waits. */
const MAX_DECODED_BYTES = 100 * 2 ** 20;
/** For the images of a request; longer than allowed ones take on a slow device. */
const MAX_LOADING_MS = 60_000;
/** Models that an error names. */
const MAX_NAMED = 5;

/**
 * As `withImages`, for messages with images and without placeholders of the client's.
 *
 * @throws {ApiError} 400 that names the part
 */
export async function loadImages(
  chat: ChatRequest,
  model: ChatModelRecord,
  { holder, request }: RequestContext,
  services: Services,
): Promise<ChatRequest> {
  const sent = chat.messages.flatMap(imagesOf);
  const first = sent[0]!;
  if (!supportsVision(model)) {
    throw withoutVision(model, first.param, services.catalog, (id) => mayUseModel(holder, id));
  }
  if (sent.length > MAX_IMAGES) {
    const { param } = sent[MAX_IMAGES]!;
    throw badRequest(
      "too_many_images",
      param,
      `Invalid '${param}': a request may have ${MAX_IMAGES} images, but this one has ${sent.length}.`,
    );
  }
  const loaded = await loadAll(sent, request.signal, services);
  return {
    ...chat,
    images: [...new Set(loaded.values())],
    messages: chat.messages.map((message) => withPlaceholders(message, loaded)),
  };
}

/**
 * The images that were sent; equal ones are one object.
 *
 * @throws {ApiError} 400 that names the part, or its URL
 */
async function loadAll(
  sent: readonly SentImage[],
  signal: AbortSignal,
  { loadImage, remoteImages = false }: Pick<Services, "loadImage" | "remoteImages">,
): Promise<Map<SentImage, PromptImage>> {
  const loaded = new Map<SentImage, PromptImage>();
  const byId = new Map<string, PromptImage>();
  let bytes = 0;
  const time = { leftMs: MAX_LOADING_MS };
  for (const image of sent) {
    const { url, urlField, detail, param } = image;
    const result = await loadImage({ url, detail, allowsRemote: remoteImages }, signal, time);
    if (!result.ok) {
      const place = `${param}.${urlField}`;
      throw badRequest(result.code, place, `Invalid '${place}': ${result.message}`);
    }
    const { id } = result.image;
    const known = byId.get(id) ?? result.image;
    loaded.set(image, known);
    if (byId.has(id)) continue;
    byId.set(id, known);
    bytes += known.bytes.byteLength;
    if (bytes > MAX_DECODED_BYTES) throw tooManyPixels(param);
  }
  return loaded;
}

function imagesOf(message: ChatMessage): readonly SentImage[] {
  return "images" in message ? (message.images ?? []) : [];
}

function tooManyPixels(param: string): ApiError {
  const most = MAX_DECODED_BYTES / 2 ** 20;
  return badRequest(
    "too_many_images",
    param,
    `Invalid '${param}': the images of a request may have ${most} MiB of pixels, but up to here they have more. Send fewer, or with 'detail': 'low'.`,
  );
}

/** Without the images' URLs, whose files would stay in memory. */
function withPlaceholders(message: ChatMessage, loaded: ReadonlyMap<SentImage, PromptImage>): ChatMessage {
  if (!("images" in message)) return message;
  const { images = [], ...rest } = message;
  let text = "";
  let from = 0;
  for (const image of images) {
    text += message.text.slice(from, image.at) + imagePlaceholder(loaded.get(image)!);
    from = image.at;
  }
  return { ...rest, text: text + message.text.slice(from) };
}

function withoutVision(
  { id }: ChatModelRecord,
  param: string,
  catalog: Catalog,
  mayUse: (id: string) => boolean,
): ApiError {
  const able = catalog
    .list()
    .filter((model) => supportsVision(model) && mayUse(model.id))
    .map((model) => `'${model.id}'`);
  const named = able.slice(0, MAX_NAMED).join(", ") + (able.length > MAX_NAMED ? ", …" : "");
  const advice =
    able.length > 0
      ? `Models that do: ${named}.`
      : "Deploy a GGUF model with its 'projector' for images (docs/images.md).";
  return badRequest(
    "unsupported_content",
    param,
    `Invalid content type at '${param}': the model '${id}' does not take images. ${advice}`,
  );
}
