import { expect, test } from "vitest";
import { byKind } from "./by-kind";

const row = (id: string, profile: string, run?: string) => ({ id, profile, run });

test("what rows share is there once for each kind, and every row finds its own again", () => {
  const given = [row("a", "x", "r"), row("b", "y", "r"), row("c", "x", "r"), row("d", "x", "s"), row("e", "y")];
  const { kinds, rows } = byKind(
    given,
    ({ profile, run }) => ({ profile, run }),
    ({ id }, kind) => ({ id, kind }),
  );
  expect(kinds).toEqual([
    { kind: 0, profile: "x", run: "r" },
    { kind: 1, profile: "y", run: "r" },
    { kind: 2, profile: "x", run: "s" },
    { kind: 3, profile: "y", run: undefined },
  ]);
  expect(rows).toEqual(["a", "b", "c", "d", "e"].map((id, i) => ({ id, kind: [0, 1, 0, 2, 3][i] })));
  expect(rows.map(({ kind, ...own }) => ({ ...own, ...kinds[kind], kind: undefined }))).toEqual(
    given.map((one) => ({ ...one, kind: undefined })),
  );
});

test("lists are one kind only where they are the same list", () => {
  const tags = ["a"];
  const given = [{ tags }, { tags }, { tags: ["a"] }];
  const { rows } = byKind(
    given,
    (row) => row,
    (_, kind) => ({ kind }),
  );
  expect(rows.map(({ kind }) => kind)).toEqual([0, 0, 1]);
});
