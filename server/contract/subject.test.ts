import * as fc from "fast-check";
import { expect, test } from "vitest";
import { commandSubject, eventSubject, isCommandSubject, journalSubject, parseSubject, wakeupSubject } from "./subject";

test("the subjects are those of the design", () => {
  expect(wakeupSubject({ project_id: "p1", worker_target: "worker_generic" })).toBe(
    "cg.v1r4.p1.public.cmd.agent.worker_generic.wakeup",
  );
  expect(eventSubject({ project_id: "p1", channel: "c2", agent_id: "boss_1", event: "task" })).toBe(
    "cg.v1r4.p1.c2.evt.agent.boss_1.task",
  );
  expect(journalSubject({ project_id: "p1" })).toBe("cg.v1r4.p1.public.evt.sys.journal");
});

test("any worker target is one token, and is read back as it was", () => {
  const noLoneSurrogates = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 });
  void fc.assert(
    fc.property(noLoneSurrogates, (worker_target) => {
      const subject = wakeupSubject({ project_id: "p1", channel: "c1", worker_target });
      expect(subject).toMatch(/^[\w=-]+(\.[\w=-]+){7}$/);
      expect(parseSubject(subject)).toEqual({
        project_id: "p1",
        channel: "c1",
        path: ["cmd", "agent", worker_target, "wakeup"],
      });
    }),
  );
});

test.each([
  ["cg.v1r4.p1.public.cmd.tool.word_count", "cg.v1r4.p1.public.cmd.tool.word_count"],
  ["cg.v1r4.{project}.{channel}.cmd.tool.text.count", "cg.v1r4.p1.public.cmd.tool.text.count"],
  ["cmd.tool.word_count", "cg.v1r4.p1.public.cmd.tool.word_count"],
])("a tool's %s is sent to", (target_subject, subject) => {
  expect(commandSubject({ project_id: "p1", target_subject })).toBe(subject);
  expect(isCommandSubject({ project_id: "p1", target_subject })).toBe(true);
});

test.each([
  "cg.v1r4.p2.public.cmd.tool.word_count",
  "cg.v1r4.p1.other.cmd.tool.word_count",
  "cg.v1r4.p1.public.evt.agent.a.task",
  "cg.v1r4.p1.public.cmd.agent.x.wakeup",
  "cg.v1r4.p1.public.cmd.sys.pmo.internal.fork_join",
  "cg.v1r4.p1.public.cmd.tool.",
  "cg.v1r4.p1.public.cmd.tool.>",
  "cg.v1r4.p1.public.cmd.tool.a b",
  "cg.v1r4.p1.public.cmd.tool.a\r\nPUB x 0",
  "$JS.API.STREAM.DELETE.x",
  "",
])("121 a tool's %j leaves its place and is not sent to", (target_subject) => {
  expect(commandSubject({ project_id: "p1", target_subject })).toBeNull();
});

test.each([
  ["cg.v1r4.p1.other.cmd.tool.word_count", true],
  ["cg.v1r4.p1.a=2eb.cmd.tool.word_count", true],
  ["cg.v1r4.{project}.other.cmd.tool.word_count", true],
  ["cg.v1r4.p2.public.cmd.tool.word_count", false],
  ["cg.v1r4.p2.{channel}.cmd.tool.word_count", false],
  ["cg.v1r4.p1..cmd.tool.word_count", false],
  ["cg.v1r4.p1.*.cmd.tool.word_count", false],
  ["cg.v1r4.p1.>", false],
  ["cg.v1r4.p1.public.cmd.sys.pmo", false],
  ["cg.v1r4.p1.public.cmd.tool.>", false],
  ["cmd.agent.x.wakeup", false],
  ["word_count", false],
  ["", false],
])("121 a tool may be saved with %j: %s", (target_subject, isAllowed) => {
  expect(isCommandSubject({ project_id: "p1", target_subject })).toBe(isAllowed);
});

test("other subjects are not ours", () => {
  expect(parseSubject("cg.v2.p1.public.evt.sys.journal")).toBeNull();
  expect(parseSubject("_INBOX.abc")).toBeNull();
});
