/** Cursor pagination of OpenAI's lists: `after`, `limit`, `order`; `first_id`, `last_id` in the response. */

import type { ListPage, ListPageQuery } from "../../batch/files/list-page.ts";
import { type ApiError, badRequest } from "../../http/api-error.ts";
import { ignoredParameters, requireOnce } from "../../http/query.ts";
import { requireInRange } from "../../http/validation/integer-range.ts";
import { supported } from "../../http/validation/values-in-errors.ts";

const PAGE_PARAMS = ["after", "limit", "order"];

/**
 * Reads the parameters of a page. Empty ones are absent: SDKs write a null as such.
 *
 * @throws {ApiError} 400 that names the parameter
 */
export function parseListPage(
  search: URLSearchParams,
  limits: { defaultLimit: number; maxLimit: number },
): ListPageQuery {
  for (const name of PAGE_PARAMS) requireOnce(search, name);
  const order = search.get("order") || "desc";
  if (order !== "asc" && order !== "desc") {
    throw badRequest("invalid_value", "order", `Invalid value: '${order}'. ${supported(["asc", "desc"])}`);
  }
  return { after: search.get("after") || undefined, limit: parseLimit(search, limits), order };
}

function parseLimit(
  search: URLSearchParams,
  { defaultLimit, maxLimit }: { defaultLimit: number; maxLimit: number },
): number {
  const text = search.get("limit");
  if (!text) return defaultLimit;
  if (!/^-?\d+$/.test(text)) {
    throw badRequest(
      "invalid_type",
      "limit",
      `Invalid type for 'limit': expected an integer, but got '${text}'.`,
    );
  }
  const limit = Number(text);
  requireInRange("limit", limit, { least: 1, most: maxLimit });
  return limit;
}

/** The header of a list that lists the ignored parameters. @param filters the list's own parameters */
export function ignoredQuery(
  search: URLSearchParams,
  filters: readonly string[] = [],
): Record<string, string> {
  return ignoredParameters(search, [...PAGE_PARAMS, ...filters]);
}

/** The 400 for a cursor that the account does not have. */
export function unknownCursor(after: string | undefined, what: string): ApiError {
  return badRequest("invalid_value", "after", `Invalid 'after': no ${what} with the id '${after}'.`);
}

/** OpenAI's list object for a page: `has_more`, and the ids of its ends; null for an empty page. */
export function listObject<Row extends { id: string }>(page: ListPage<Row>, shape: (row: Row) => object) {
  return {
    object: "list" as const,
    data: page.rows.map(shape),
    first_id: page.rows[0]?.id ?? null,
    last_id: page.rows.at(-1)?.id ?? null,
    has_more: page.hasMore,
  };
}
