/** Image attachments for vision models: downscaled, and read without leaving the page. */

/** As the server scales an image whose `detail` is `auto`. */
const MAX_SIDE_PX = 2048;

/**
 * Reads an image as a data URL, downscaled if large.
 *
 * @throws if the browser cannot decode the file as an image
 */
export async function readImage(file: File): Promise<string> {
  const picture = await createImageBitmap(file).catch(() => {
    throw new Error(`This browser cannot read ${file.name} as an image.`);
  });
  const scale = Math.min(1, MAX_SIDE_PX / Math.max(picture.width, picture.height));
  const canvas = new OffscreenCanvas(Math.ceil(picture.width * scale), Math.ceil(picture.height * scale));
  const context = canvas.getContext("2d");
  if (context) {
    // JPEG has no transparency: it would become black.
    context.fillStyle = "white";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.imageSmoothingQuality = "high";
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  }
  picture.close();
  return toDataURL(await canvas.convertToBlob({ type: "image/jpeg", quality: 0.9 }));
}

function toDataURL(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(blob);
  });
}
