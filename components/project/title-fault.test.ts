import { expect, test } from "vitest";
import { idFault, titleFault } from "./title-fault";

test("a title is told what is wrong with it", () => {
  expect(titleFault("Research")).toBeNull();
  expect(titleFault("   ")).toBe("Enter a name.");
  expect(titleFault("x".repeat(201))).toContain("200");
});

test("an id may be left out, and holds nothing that an address would escape", () => {
  expect(idFault("")).toBeNull();
  expect(idFault("my-project_2")).toBeNull();
  expect(idFault("my project")).toContain("letters");
  expect(idFault("a/b")).toContain("letters");
});
