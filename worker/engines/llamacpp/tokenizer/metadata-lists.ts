import { type GgufValue, type GgufValues, NotGguf } from "../../../model-store/gguf/metadata.ts";

/** Empty if it is absent. @throws {NotGguf} for a value of another type */
export const texts = (metadata: GgufValues, key: string): string[] =>
  list(metadata, key, "string") as string[];

/** As {@link texts}. */
export const numbers = (metadata: GgufValues, key: string): number[] =>
  list(metadata, key, "number") as number[];

/** All values of an array have the same type. */
function list(metadata: GgufValues, key: string, type: "string" | "number"): GgufValue[] {
  const value = metadata.get(key);
  if (value === undefined) return [];
  if (!Array.isArray(value) || (value.length > 0 && typeof value[0] !== type))
    throw new NotGguf(`its ${key} are not of type ${type}`);
  return value;
}
