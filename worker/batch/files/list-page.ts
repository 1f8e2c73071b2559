/** List pages by creation time, with OpenAI's cursors. */

export interface ListPageQuery {
  /** Id after which the list page starts. */
  after: string | undefined;
  limit: number;
  order: "asc" | "desc";
}

export interface ListPage<Row> {
  rows: Row[];
  hasMore: boolean;
}

interface Listed {
  id: string;
  account: string;
  created_ms: number;
}

interface Cursor<Row> {
  value: Row;
  continue(): Promise<Cursor<Row> | null>;
}

/** Store methods that listing needs. */
interface Source<Row> {
  get(id: string): Promise<Row | undefined>;
  index(name: "by_account"): {
    openCursor(range: IDBKeyRange, direction: IDBCursorDirection): Promise<Cursor<Row> | null>;
  };
}

interface ListedRows<Row> {
  isValid: (row: unknown) => row is Row;
  /** @default all */
  fits?: (row: Row) => boolean;
  /** Creation time of a deleted row that was the last of an earlier page. @default unknown */
  createdMsOf?: (id: string) => number | undefined;
}

/** One list page of valid rows, or undefined if `after` is no such row of the account. */
export async function listPage<Row extends Listed>(
  source: Source<Row>,
  account: string,
  { after, limit, order }: ListPageQuery,
  { isValid, fits = () => true, createdMsOf = () => undefined }: ListedRows<Row>,
): Promise<ListPage<Row> | undefined> {
  let lower: IDBValidKey = [account];
  let upper: IDBValidKey = [account, []];
  if (after !== undefined) {
    const last = await source.get(after);
    const isListed = isValid(last) && last.account === account;
    const createdMs = isListed ? last.created_ms : createdMsOf(after);
    if (createdMs === undefined) return undefined;
    const key = [account, createdMs, after];
    if (order === "asc") lower = key;
    else upper = key;
  }
  const range = IDBKeyRange.bound(lower, upper, true, true);
  const rows: Row[] = [];
  let cursor = await source.index("by_account").openCursor(range, order === "asc" ? "next" : "prev");
  for (; cursor; cursor = await cursor.continue()) {
    if (!isValid(cursor.value) || !fits(cursor.value)) continue;
    if (rows.length === limit) return { rows, hasMore: true };
    rows.push(cursor.value);
  }
  return { rows, hasMore: false };
}
