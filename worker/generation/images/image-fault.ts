import { CodedError } from "../../../src/shared/coded-error.ts";

/** What is wrong with an image, under OpenAI's codes where it has one. */
type ImageFaultCode =
  | "invalid_image_url"
  | "invalid_base64_image"
  | "empty_image_file"
  | "invalid_image_format"
  | "image_parse_error"
  | "image_file_too_large"
  | "image_too_large"
  | "failed_to_download_image";

/** Thrown for an image that is not used. The message is a sentence about "the image". */
export class ImageFault extends CodedError<ImageFaultCode> {
  override name = "ImageFault" as const;
}

/** The answer to an {@link ImageFault}. */
export interface ImageRefusal {
  ok: false;
  code: ImageFaultCode;
  message: string;
}

/** An {@link ImageFault} as a message can carry it. @throws any other error */
export function refusal(error: unknown): ImageRefusal {
  if (!(error instanceof ImageFault)) throw error;
  return { ok: false, code: error.code, message: error.message };
}

/** For a file that ends too early, or contradicts itself. */
export function brokenImage(why: string): ImageFault {
  return new ImageFault("image_parse_error", `The image cannot be read: ${why}.`);
}
