import fc from "fast-check";
import { expect, test } from "vitest";
import { wireNames } from "./tool-names";

const sent = (names: string[], client: "openai" | "google" = "openai") => {
  const odd = wireNames(names, client);
  return names.map((name) => odd.get(name) ?? name);
};

test("a dot becomes an underscore where a provider refuses it, and stays where it does not", () => {
  expect(sent(["web.search", "think"])).toEqual(["web_search", "think"]);
  expect(sent(["web.search", "think"], "google")).toEqual(["web.search", "think"]);
  expect(sent(["2.scan"])).toEqual(["_2_scan"]);
  expect(sent(["2scan"], "google")).toEqual(["_2scan"]);
});

test("names that would become one are told apart by a hash, whatever their order", () => {
  const [a = "", b = "", c = ""] = sent(["web.search", "web_search", "web..search"]);
  expect(b).toBe("web_search");
  expect(a).toMatch(/^web_search_[0-9a-f]{8}$/);
  expect(c).toBe("web__search");
  expect(sent(["web_search", "web.search"])).toEqual([b, a]);
  // A tool that bears the very name that would have been made.
  const [d, e] = sent(["web.search", a, "web_search"]);
  expect([d !== a, e]).toEqual([true, a]);
});

const letters = fc.constantFrom(..."ab1._-:é".split(""));
const name = fc.string({ unit: letters, minLength: 1, maxLength: 70 });

test("every name is accepted by the provider, and no two are the same", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(name, { maxLength: 12 }),
      fc.constantFrom("openai" as const, "google" as const),
      (names, client) => {
        const all = sent(names, client);
        expect(new Set(all).size).toBe(names.length);
        for (const one of all) expect(one).toMatch(client === "google" ? /^[A-Za-z_][\w.:-]{0,63}$/ : /^[\w-]{1,64}$/);
        const turned = new Map(names.toReversed().map((one, i) => [one, sent(names.toReversed(), client)[i]]));
        expect(all).toEqual(names.map((one) => turned.get(one)));
      },
    ),
  );
});

test("a name that equals another one's hashed name once its dot is replaced stays distinct too", () => {
  const [hashed = ""] = sent(["web.search", "web_search"]);
  const all = sent(["web.search", "web_search", hashed.replace("_", ".")]);
  expect(new Set(all).size).toBe(3);
});
