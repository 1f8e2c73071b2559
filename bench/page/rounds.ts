/** Rounds in which every subject has its turn, so that all of them meet the same machine. */

type Values<Name extends string> = Record<Name, number[]>;

/**
 * Measures `rounds` times A, B, C, A, B, C, …, after one round that warms up and counts for nothing.
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
    for (const name of names) values[name].push(await subjects[name]());
    const last = names.map((name) => `${name} ${values[name].at(-1)!.toFixed(1)}`);
    console.log(`round ${round} of ${rounds}: ${last.join(", ")}`);
  }
  return values;
}
