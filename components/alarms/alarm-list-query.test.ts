import { expect, test } from "vitest";
import { AlarmQuery } from "@/server/contract/alarm";
import { alarmListQuery } from "./alarm-list-query";

test("a parameter of the address without a value asks for nothing, and neither does a rule that is unknown", () => {
  const asked = alarmListQuery("p1", { rule: "constructor", run: "", subject: "", muted: "" });
  const { project_id, ...query } = asked;
  expect(project_id).toBe("p1");
  expect(AlarmQuery.strict().parse(query)).toEqual({ muted: "false", limit: 100 });
});
