/** Files and batches that another server has made for the same request: a page resends one whose response was lost. */

/** A page resends within minutes. */
const RESENT_MS = 3_600_000;

interface Made {
  request_id?: string;
}

interface Source<Row> {
  index(name: "by_account"): { getAll(range: IDBKeyRange): Promise<Row[]> };
}

/** The row that was made for a request of the account; undefined if there is none. */
export async function madeBefore<Row extends Made>(
  source: Source<Row>,
  { account, requestId, nowMs }: { account: string; requestId: string; nowMs: number },
  isValid: (row: unknown) => row is Row,
): Promise<Row | undefined> {
  const range = IDBKeyRange.bound([account, nowMs - RESENT_MS], [account, []]);
  const rows = await source.index("by_account").getAll(range);
  return rows.find((row) => row.request_id === requestId && isValid(row));
}
