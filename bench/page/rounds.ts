/** Rounds in which every subject has its turn, so that all of them meet the same machine. */

type Values<Name extends string> = Record<Name, number[]>;

/** Time for what a round has said to leave the page: it goes to another process, on the same cores. */
const REST_MS = 100;

/**
 * Measures A, B, C, then B, C, A, then C, A, B, and so on: each is as often the first of a round, which is when a
 * machine is slowest. One round before them warms up and counts for nothing.
 *
 * @param subjects each answers with its own figure
 */
export async function takeTurns<Name extends string>(
  rounds: number,
  subjects: Record<Name, () => Promise<number>>,
): Promise<Values<Name>> {
  const names = Object.keys(subjects) as Name[];
  const values = Object.fromEntries(names.map((name) => [name, []])) as unknown as Values<Name>;
  for (const name of names) await subjects[name]();
  for (let round = 1; round <= rounds; round++) {
    const first = round % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)])
      values[name].push(await subjects[name]());
    const last = names.map((name) => `${name} ${values[name].at(-1)!.toFixed(1)}`);
    console.log(`round ${round} of ${rounds}: ${last.join(", ")}`);
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
  }
  return values;
}
