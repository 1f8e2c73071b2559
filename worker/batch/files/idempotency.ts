/** A page resends a request whose response was lost: the file or batch of the first one must not be created again. */

/** A page resends within minutes. */
const RESENT_MS = 3_600_000;

interface Created {
  request_id?: string;
}

interface Source<Row> {
  index(name: "by_account"): { getAll(range: IDBKeyRange): Promise<Row[]> };
}

/** The row that was created for a request of the account; undefined if there is none. */
export async function findByRequest<Row extends Created>(
  source: Source<Row>,
  { account, requestId, nowMs }: { account: string; requestId: string; nowMs: number },
  isValid: (row: unknown) => row is Row,
): Promise<Row | undefined> {
  const range = IDBKeyRange.bound([account, nowMs - RESENT_MS], [account, []]);
  const rows = await source.index("by_account").getAll(range);
  return rows.find((row) => row.request_id === requestId && isValid(row));
}
