/** Draws pictures in a page. */

/** A data URL of a picture of one colour with a dark corner at the top left. */
export async function drawn(
  type: "image/png" | "image/jpeg" | "image/webp",
  colour: string,
  [width, height] = [64, 48],
): Promise<string> {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height });
  const context = canvas.getContext("2d")!;
  context.fillStyle = colour;
  context.fillRect(0, 0, width, height);
  context.fillStyle = "black";
  context.fillRect(0, 0, width / 4, height / 4);
  return canvas.toDataURL(type);
}
