import type * as z from "zod/mini";

/** A row as schemas type it: an optional field may also be present and undefined. */
type Parsed<Row> = Row extends readonly (infer One)[]
  ? readonly Parsed<One>[]
  : Row extends object
    ? {
        [Field in keyof Row]: Record<never, never> extends Pick<Row, Field>
          ? Parsed<Row[Field]> | undefined
          : Parsed<Row[Field]>;
      }
    : Row;

/** The schema of a stored row, which accepts nothing that the row's type excludes. */
export type RowSchema<Row> = z.ZodMiniType & { readonly _zod: { readonly output: Parsed<Row> } };
