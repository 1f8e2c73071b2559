/** The name of a value's class, such as `Request`. Unlike `instanceof`, also of a value of another realm, such as a frame's. */
export function kindOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice("[object ".length, -1);
}
