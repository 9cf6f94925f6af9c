import { expect, test } from "vitest";
import { crumbsOf } from "./crumbs";

test("an address names the section and the thing in it", () => {
  expect(crumbsOf("/p/demo")).toEqual([]);
  expect(crumbsOf("/p/a%20b/boxes")).toEqual([{ label: "Boxes", href: "/p/a%20b/boxes" }]);
  expect(crumbsOf("/p/demo/boxes/0199aa4e7a")).toEqual([
    { label: "Boxes", href: "/p/demo/boxes" },
    { plate: "4E7A", label: "" },
  ]);
  expect(crumbsOf(`/p/demo/packs/31d0${"0".repeat(60)}`)).toEqual([
    { label: "Context packs", href: "/p/demo/packs" },
    { plate: "P-31D0", label: "" },
  ]);
  expect(crumbsOf("/p/demo/packs/new")[1]).toEqual({ label: "Build a pack" });
  expect(crumbsOf("/p/demo/packs/workspaces")[1]).toEqual({ label: "Workspaces" });
  expect(crumbsOf("/p/demo/packs/P-31D0")[1]).toEqual({ label: "P-31D0" });
  expect(crumbsOf("/p/demo/runs/turn_0199/transcript")).toEqual([
    { label: "Runs", href: "/p/demo/runs" },
    { label: "Transcript" },
  ]);
  expect(crumbsOf("/p/demo/inbox")).toEqual([{ label: "Inbox", href: "/p/demo/inbox" }]);
  expect(crumbsOf("/p/demo/batches/batch_0199").map((crumb) => crumb.label)).toEqual(["Batches", "Batch"]);
  expect(crumbsOf("/p/demo/batches/batch_0199", "B2")[1]).toEqual({ plate: "B2", label: "" });
  expect(crumbsOf("/p/demo/turns/turn_0199", "2S04")[1]).toEqual({ plate: "2S04", label: "" });
  expect(crumbsOf("/p/demo/profiles/import%3AWebSurfer")[1]).toEqual({ label: "import:WebSurfer" });
  expect(crumbsOf(`/p/demo/agents/demo-reader_${"0".repeat(28)}b65f`)[1]).toEqual({ label: "demo-reader b65f" });
  expect(crumbsOf("/p/demo/agents/human_local")[1]).toEqual({ label: "human_local" });
  expect(crumbsOf(`/p/demo/cards/${"0".repeat(20)}0123456789ab`)[1]).toEqual({ label: "…0123456789ab" });
});
