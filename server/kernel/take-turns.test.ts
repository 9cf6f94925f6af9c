// Whose turn it is among projects that share one reader.
import { expect, test } from "vitest";
import { lineOf } from "./take-turns";

const all = (line: { next: () => string | undefined }): string[] => {
  const served: string[] = [];
  for (let one = line.next(); one !== undefined; one = line.next()) served.push(one);
  return served;
};

test("projects take turns, each in its own order", () => {
  const line = lineOf<string>({ ofProject: 9, ofAll: 99 });
  for (const one of ["a1", "a2", "a3", "b1", "c1", "c2"]) expect(line.add(one.slice(0, 1), one)).toBe(true);
  expect(all(line)).toEqual(["a1", "b1", "c1", "a2", "c2", "a3"]);
});

test("a project that keeps coming does not block one that waits", () => {
  const line = lineOf<string>({ ofProject: 9, ofAll: 99 });
  line.add("a", "a1");
  line.add("a", "a2");
  expect(line.next()).toBe("a1");
  const served: (string | undefined)[] = [];
  for (let n = 0; n < 4; n++) {
    line.add("b", `b${n}`);
    line.add("c", `c${n}`);
    served.push(line.next());
  }
  expect(served).toContain("a2");
});

test("a project, and all together, have a limit; what is served makes room", () => {
  const line = lineOf<string>({ ofProject: 2, ofAll: 3 });
  expect(["a", "a", "a", "b", "c"].map((project) => line.add(project, project))).toEqual([
    true,
    true,
    false,
    true,
    false,
  ]);
  line.next();
  expect(line.add("a", "a")).toBe(true);
});
