// Every number that comes from outside has a least and a most. `deadline_seconds: 1e12` used to be found out by the database,
// as a 500. What the OpenAPI document says is made of the same shapes.
import { describe, expect, test } from "vitest";
import * as z from "zod";
import * as batch from "@/server/contract/batch";
import { ProfileBody } from "@/server/contract/profile";
import { appRouter } from "./api/root";
import { routes } from "./interop/rest/routes";
import { parseProfile } from "./kernel/roster/parse-profile";

const contract = import.meta.glob<Record<string, unknown>>(["./contract/*.ts", "!./contract/*.test.ts"], {
  eager: true,
});

type Shape = z.core.$ZodType;
type Def = {
  type: string;
  shape?: Record<string, Shape>;
  options?: Shape[];
  items?: Shape[];
  left?: Shape;
  right?: Shape;
} & Partial<Record<"element" | "innerType" | "in" | "out" | "keyType" | "valueType" | "rest", Shape | null>>;
const isShape = (value: unknown): value is Shape => typeof value === "object" && value !== null && "_zod" in value;

/** Paths of numbers without both bounds; those that z.int() has by itself are none. JSON of any shape (lazy) is passed by. */
function unbounded(shape: Shape, path: string, seen = new Set<Shape>()): string[] {
  if (seen.has(shape)) return [];
  seen.add(shape);
  const def = shape._zod.def as unknown as Def;
  if (def.type === "number") {
    const said = z.toJSONSchema(shape, { io: "input" });
    const isBound = (value: unknown) => typeof value === "number" && Math.abs(value) < Number.MAX_SAFE_INTEGER;
    const [least, most] = [said.exclusiveMinimum ?? said.minimum, said.exclusiveMaximum ?? said.maximum];
    return isBound(least) && isBound(most) ? [] : [path];
  }
  const named = Object.entries(def.shape ?? {}).flatMap(([key, one]) => unbounded(one, `${path}.${key}`, seen));
  const parts = [
    def.element,
    def.innerType,
    def.in,
    def.out,
    def.keyType,
    def.valueType,
    def.rest,
    def.left,
    def.right,
  ];
  const listed = [...parts, ...(def.options ?? []), ...(def.items ?? [])].filter(isShape);
  return [...named, ...listed.flatMap((one) => unbounded(one, path, seen))];
}

describe("a number without a bound is found", () => {
  test("in the shapes of the contract", () => {
    const shapes = Object.entries(contract).flatMap(([file, exported]) =>
      Object.entries(exported).flatMap(([name, shape]) => (isShape(shape) ? [{ name: `${file} ${name}`, shape }] : [])),
    );
    expect(shapes.length).toBeGreaterThan(40);
    expect(shapes.flatMap(({ name, shape }) => unbounded(shape, name))).toEqual([]);
  });
  test("in queries and bodies of REST", () => {
    expect(routes.length).toBeGreaterThan(40);
    const found = routes.flatMap(({ method, path, query, body }) =>
      [query, body].flatMap((shape) => (shape ? unbounded(shape, `${method} ${path}`) : [])),
    );
    expect(found).toEqual([]);
  });
  test("in what tRPC's procedures take", () => {
    const procedures = Object.entries(
      appRouter._def.procedures as unknown as Record<string, { _def: { inputs: unknown[] } }>,
    );
    expect(procedures.length).toBeGreaterThan(20);
    const found = procedures.flatMap(([name, { _def }]) =>
      _def.inputs.flatMap((shape) => (isShape(shape) ? unbounded(shape, name) : [])),
    );
    expect(found).toEqual([]);
  });
});

describe("the bound is named", () => {
  const task = { target_strategy: "new", target_ref: "A", instruction: "x" };
  test.each([
    ["deadline_seconds", 1e12, "31536000"],
    ["max_parallel", 2 ** 40, "10000"],
  ])("fork_join %s %d", (field, value, most) => {
    const { error } = batch.ForkJoinInput.safeParse({ tasks: [task], [field]: value });
    expect(error?.issues).toMatchObject([{ path: [field], message: expect.stringContaining(most) }]);
  });
  test.each([
    [{ temperature: 3 }, "llm_config.temperature"],
    [{ provider_options: { max_tokens: 1e12 } }, "llm_config.provider_options.max_tokens"],
    [{ context_window: 1e12 }, "llm_config.context_window"],
  ])("profile %j", (llm_config, field) => {
    expect(() => parseProfile({ name: "A", llm_config })).toThrow(field);
  });
  test("profile max_steps", () => {
    expect(ProfileBody.safeParse({ name: "A", max_steps: 1e9 }).error?.issues[0]).toMatchObject({ maximum: 1000 });
  });
});
