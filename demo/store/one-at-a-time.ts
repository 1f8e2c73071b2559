/**
 * Wraps work so that a call during another one returns that one's result: a double click, or Enter held down, must
 * submit a form once.
 */
export function oneAtATime<Arguments extends unknown[], T>(
  work: (...given: Arguments) => Promise<T>,
): (...given: Arguments) => Promise<T> {
  let running: Promise<T> | undefined;
  return (...given) => {
    running ??= work(...given).finally(() => {
      running = undefined;
    });
    return running;
  };
}
