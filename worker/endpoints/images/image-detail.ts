import * as z from "zod/mini";

/** How large an image is given to the model: `low` 512 pixels, the others 2,048 at most. */
export const imageDetail = z.enum(["auto", "low", "high", "original"]);
