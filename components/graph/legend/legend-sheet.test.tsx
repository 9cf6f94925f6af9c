// What the yard draws and the legend does not explain is a riddle: each list of signs stands in it whole, each with its drawing.
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { cardRoles } from "@/components/ui/card-role";
import { kindNames, lampWords, originNames, roleWords, trackWords, verdictWords } from "@/components/ui/sign-words";
import { turnStatuses } from "@/server/contract/turn";
import { LegendSheet } from "./legend-sheet";
import { legendWords } from "./legend-words";

const sheet = renderToStaticMarkup(<LegendSheet />);
const line = /<dt class="contents"><span[^>]*>(.*?)<\/span><b>([^<]*)<\/b><\/dt><dd[^>]*>([^<]*)<\/dd>/g;
const lines = [...sheet.matchAll(line)].map(([, sign = "", name = "", meaning = ""]) => ({ sign, name, meaning }));
const names = lines.map(({ name }) => name);

test.each([
  ["lamps", turnStatuses],
  ["roles", cardRoles],
  ["kinds", Object.values(kindNames)],
  ["origins", Object.values(originNames).map((origin) => `${origin} card`)],
  ["verdicts", Object.keys(verdictWords)],
  ["tracks", Object.keys(trackWords)],
  ["words", Object.keys(legendWords)],
] as const)("the legend names all %s", (_, wanted) => {
  expect(names).toEqual(expect.arrayContaining([...wanted]));
});

test("each line has a drawing and a meaning", () => {
  expect(lines.length).toBeGreaterThan(50);
  expect(lines.filter(({ sign, meaning }) => sign === "" || meaning === "")).toEqual([]);
});

test("lamps and roles are those of the contract, no more and no fewer", () => {
  expect(Object.keys(lampWords).toSorted()).toEqual([...turnStatuses].toSorted());
  expect(Object.keys(roleWords).toSorted()).toEqual([...cardRoles].toSorted());
});
