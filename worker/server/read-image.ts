import type { ImageReader } from "../generation/images/image-reader.ts";
import type { ReadImage } from "../generation/images/read-image.ts";
import { loadPart } from "../lazy/part.ts";

let reader: ImageReader | undefined;

/** Reads images in the image worker, whose script is beside this one. */
export const readImage: ReadImage = async (request, signal, time) => {
  const part = await loadPart(() => import("../generation/images/image-reader.ts"));
  reader ??= new part.ImageReader(new URL("images.js", self.location.href).href);
  return reader.read(request, signal, time);
};
