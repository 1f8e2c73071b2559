import type { ImageLoader } from "../generation/images/image-loader.ts";
import type { LoadImage } from "../generation/images/preprocess-image.ts";
import { loadPart } from "../lazy/part.ts";

let loader: ImageLoader | undefined;

/** Loads images with the image worker, whose script is in the folder of this one. */
export const loadImage: LoadImage = async (request, signal, time) => {
  const part = await loadPart(() => import("../generation/images/image-loader.ts"), signal);
  loader ??= new part.ImageLoader(new URL("images.js", self.location.href).href);
  return loader.load(request, signal, time);
};
