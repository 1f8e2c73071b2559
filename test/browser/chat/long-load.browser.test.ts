import { test } from "vitest";
import { seed } from "../../support/random.ts";
import { mixedLoad } from "../engines/support/mixed-load.ts";

test(
  `for minutes: requests of all kinds at once have the replies that they have alone (seed ${seed})`,
  () => mixedLoad(10),
  600_000,
);
