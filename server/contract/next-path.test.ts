import { expect, test } from "vitest";
import { nextPath, signInHref } from "./next-path";

test.each([
  "/",
  "/p/demo",
  "/p/demo/boxes/4E7A?card=2&run=a%2Fb#here",
  "/p/a%20b?launch=1&target=new:Lead",
  "/p/api/x",
  "/sign-in-help",
])("%s is a place of this server", (path) => expect(nextPath(path)).toBe(path));

test.each([
  undefined,
  null,
  7,
  ["/p/demo"],
  "",
  "p/demo",
  "https://evil.example",
  "//evil.example",
  "///evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/\t/evil.example",
  "/\n\\evil.example",
  "/.//evil.example",
  "/p/..//evil.example",
  "/%2e//evil.example",
  " //evil.example",
  "javascript:alert(1)",
  "/sign-in",
  "/sign-in?next=/sign-in",
  "/api/v1/projects",
])("%j is not", (path) => expect(nextPath(path)).toBe("/"));

test("whatever is kept stays on this server", () => {
  for (const path of ["/a/../../b", "/@evil.example", "/:80", "/%5cevil.example", "/ evil"])
    expect(new URL(nextPath(path), "https://yard.example.org").origin).toBe("https://yard.example.org");
});

test("the way to the form keeps where one was", () => {
  expect(signInHref("/p/demo?turn=t1&x=a b")).toBe("/sign-in?next=%2Fp%2Fdemo%3Fturn%3Dt1%26x%3Da%2520b");
  expect(signInHref("/")).toBe("/sign-in?next=%2F");
});
