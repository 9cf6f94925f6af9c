import { expect, it } from "vitest";
import { nameOf } from "./plan-words";

const named = (part: object) => nameOf({ id: "expert", ...part } as Parameters<typeof nameOf>[0]);

it("an instruction names its wagon without the full stop, which would end the message around it", () => {
  expect(named({ instruction: "Write one page." })).toBe("Write one page");
  expect(named({ instruction: "Go on..." })).toBe("Go on...");
  expect(named({ instruction: "." })).toBe(".");
  expect(named({ instruction: "" })).toBe("expert");
});

it("a title stays as a person wrote it", () => {
  expect(named({ title: "Page no. 1.", instruction: "Write." })).toBe("Page no. 1.");
});
