import { expect, test } from "vitest";
import { Router } from "../../../worker/http/router.ts";

const router = new Router<string>();
for (const pattern of [
  "/v1/files",
  "/v1/files/:file_id",
  "/v1/files/:file_id/content",
  "/v1/models/:model{.+}",
]) {
  router.add(pattern, pattern);
}

test("a path takes the route of its own length, with its names filled in", () => {
  expect(router.match("/v1/files")).toEqual({ route: "/v1/files", params: {} });
  expect(router.match("/v1/files/file-1")).toEqual({
    route: "/v1/files/:file_id",
    params: { file_id: "file-1" },
  });
  expect(router.match("/v1/files/file-1/content")?.params).toEqual({ file_id: "file-1" });
  expect(router.match("/v1/models/org/name")?.params).toEqual({ model: "org/name" });
});

test("a longer, a shorter and a closed path are none of them", () => {
  for (const path of [
    "/",
    "/v1",
    "/v1/file",
    "/v1/files/",
    "/v1/files/a/b",
    "/v2/files",
    "/v1/models/",
    "/x/v1/files",
  ]) {
    expect(router.match(path), path).toBeUndefined();
  }
});

test("escapes are decoded once, and what is none stays as it came", () => {
  expect(router.match("/v1/%66iles")?.route).toBe("/v1/files");
  expect(router.match("/v1/models/org%2Fname")?.params.model).toBe("org/name");
  expect(router.match("/v1/files/100%2541")?.params.file_id).toBe("100%41");
  expect(router.match("/v1/files/%E0%A4%A")?.params.file_id).toBe("%E0%A4%A");
  expect(router.match("/v1/files/__proto__")?.params.file_id).toBe("__proto__");
});
