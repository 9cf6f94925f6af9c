// Every number in a query of every route is written in digits; what only coercion understands is refused by its name.
import { expect, test } from "vitest";
import * as z from "zod";
import { refuseOddNumbers } from "./plain-numbers";
import { routes } from "./routes";

type Shape = { type?: string; anyOf?: Shape[] };
const isNumber = (shape: Shape): boolean =>
  shape.type === "integer" || shape.type === "number" || (shape.anyOf ?? []).some(isNumber);

const numbers = routes.flatMap(({ method, path, query }) => {
  if (!query) return [];
  const { properties = {} } = z.toJSONSchema(query, { io: "input", unrepresentable: "any" });
  return Object.entries(properties).flatMap(([field, shape]) =>
    isNumber(shape as Shape) ? [{ at: `${method} ${path}`, field, query }] : [],
  );
});

test("there are such fields, in lists and in pages of cards", () => {
  expect(numbers.length).toBeGreaterThan(20);
  expect([...new Set(numbers.map(({ field }) => field))]).toEqual(
    expect.arrayContaining(["limit", "start", "step", "days", "before", "version", "from"]),
  );
});

test.each(numbers)("$at: $field", ({ field, query }) => {
  for (const odd of ["0x10", "1e2", "", " 5", "5 ", "+5", "5.0", "0b1", "Infinity", "٣", "1_000"])
    expect(() => refuseOddNumbers(query, { [field]: odd }), odd).toThrow(
      expect.objectContaining({
        code: "bad_request",
        message: expect.stringMatching(`^query.${field}: expected a whole`),
      }),
    );
  for (const plain of ["0", "5", "-1", "100000000000000"]) refuseOddNumbers(query, { [field]: plain });
});

test("a word that the field takes too is left alone, and so are texts that look like numbers", () => {
  const query = z.strictObject({ step: z.union([z.literal("next"), z.coerce.number()]).optional(), q: z.string() });
  refuseOddNumbers(query, { step: "next", q: "0x10" });
  expect(() => refuseOddNumbers(query, { step: "last" })).toThrow(/^query.step/);
});
