/** Parts of a message, as both text endpoints have them: one text, with images between its characters. */

import { withoutImagePlaceholders } from "../../engine-api/prompt-image.ts";
import { badRequest } from "../../http/api-error.ts";
import type { SentImage } from "../../prompt/messages.ts";

/** A text or an image; any other part is refused. */
export interface ContentPart {
  type: string;
  text?: string;
  image?: Pick<SentImage, "url" | "urlField" | "detail">;
}

/** The text of a message, and its images with their places in it. */
export interface Content {
  text: string;
  images?: SentImage[];
}

/** The texts of a message without images, which the model receives as one. */
export function joinTexts(content: string | readonly { text?: string; refusal?: string }[]): string {
  if (typeof content === "string") return content;
  return content.map((part) => part.text ?? part.refusal ?? "").join("");
}

/**
 * Joins the texts, and notes where the images are.
 *
 * @param param of the parts' list, for errors
 * @throws {ApiError} 400 `unsupported_content` for other parts, with the place of the part
 */
export function toContent(parts: string | readonly ContentPart[], param: string): Content {
  if (typeof parts === "string") return { text: withoutImagePlaceholders(parts) };
  const images: SentImage[] = [];
  let text = "";
  for (const [at, part] of parts.entries()) {
    const place = `${param}[${at}]`;
    if (part.text !== undefined) text += withoutImagePlaceholders(part.text);
    else if (part.image) images.push({ ...part.image, at: text.length, param: place });
    else {
      const why =
        part.type === "input_image"
          ? "an image needs its 'image_url'; 'file_id' is not supported."
          : `text and images are supported, not '${part.type}'.`;
      throw badRequest("unsupported_content", place, `Invalid content type at '${place}': ${why}`);
    }
  }
  return images.length > 0 ? { text, images } : { text };
}
