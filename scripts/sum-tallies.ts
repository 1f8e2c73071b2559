/** Prints the combined tallies of the runs named as arguments; the last step of CI. Exits with 1 on a failure. */

import { printTally, recallTally, sumOf } from "./test/tally.ts";

const total = sumOf(await Promise.all(process.argv.slice(2).map(recallTally)));
printTally(total);
process.exitCode = total.failed === 0 ? 0 : 1;
