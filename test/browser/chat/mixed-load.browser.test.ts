import { test } from "vitest";
import { seed } from "../../support/random.ts";
import { mixedLoad } from "../engines/support/mixed-load.ts";

test(`requests of all kinds at once, from two tabs, have the replies that they have alone (seed ${seed})`, () =>
  mixedLoad(2));
