import { expect, test } from "vitest";
import { argValue, recipeArgs } from "@/components/domain/recipe-args";
import { emptyDraft, readDraft, writeDraft } from "./draft";
import { callOf, emptyGate, emptyTask, type LaunchForm } from "./launch-form";
import { loadFromUrl, loadToUrl } from "./launch-url";
import { type LoadItem, loadArgs, toggled } from "./load-item";

const box = (id: string): LoadItem => ({ kind: "box", id });
const card = (id: string): LoadItem => ({ kind: "card", id });
const target = { target_strategy: "new" as const, target_ref: "Reader" };
const one = { ...emptyTask("1"), target, text: "Read", load: [card("c"), box("b")] };
const form = (part: Partial<LaunchForm>): LaunchForm => ({
  kind: "delegate",
  tasks: [one],
  at: 0,
  gate: emptyGate,
  ...part,
});

test("boxes and cards are sent in one order", () => {
  expect(loadArgs([card("c"), box("b"), card("d")])).toEqual({
    load: [{ card_id: "c" }, { box_id: "b" }, { card_id: "d" }],
  });
  expect(loadArgs([])).toEqual({});
});

test("a list that is too long for one load goes as boxes and cards if that is the same order", () => {
  const cards = Array.from({ length: 70 }, (_, i) => card(`c${i}`));
  expect(loadArgs([box("b"), ...cards])).toEqual({
    context_box_id: ["b"],
    context_card_ids: cards.map(({ id }) => id),
  });
  expect(loadArgs([...cards, box("b")]).load).toHaveLength(71);
});

test("the URL keeps the order, in the older words where they can say it", () => {
  expect(loadToUrl([box("b"), card("c")])).toEqual({ boxes: ["b"], cards: ["c"], load: null });
  for (const items of [[], [box("b")], [card("c"), box("b"), card("d")]]) {
    const { boxes, cards, load } = loadToUrl(items);
    expect(loadFromUrl({ boxes: boxes ?? [], cards: cards ?? [], load: load ?? [] })).toEqual(items);
  }
  expect(loadFromUrl({ boxes: ["b", "b"], cards: [], load: [card("c"), box("b")] })).toEqual([box("b"), card("c")]);
  expect(toggled([box("b"), card("b")], card("b"))).toEqual([box("b")]);
});

test("each kind is one call of its tool", () => {
  expect(callOf(form({}))).toEqual({
    tool: "delegate_async",
    args: { ...target, instruction: "Read", load: [{ card_id: "c" }, { box_id: "b" }] },
  });
  expect(callOf(form({ kind: "ask", tasks: [{ ...one, load: [] }] }))).toEqual({
    tool: "ask_expert",
    args: { expert_profile: "Reader", question: "Read" },
  });
  const two = {
    ...one,
    key: "2",
    text: "Check",
    load: [],
    recipe: "brief@2",
    args: { tone: "dry", not: " " },
    attempts: "3",
    context_tokens_max: " 16000 ",
  };
  expect(
    callOf(
      form({ kind: "fork", tasks: [one, two], gate: { ...emptyGate, max_parallel: "1", deadline_seconds: " 90 " } }),
    ),
  ).toEqual({
    tool: "fork_join",
    args: {
      tasks: [
        { ...target, instruction: "Read", load: [{ card_id: "c" }, { box_id: "b" }] },
        {
          ...target,
          instruction: "Check",
          recipe: "brief@2",
          arguments: { tone: "dry" },
          context_tokens_max: 16000,
          attempts: "3",
        },
      ],
      fail_fast: false,
      max_parallel: "1",
      deadline_seconds: "90",
    },
  });
});

test("an argument is JSON only where it is written as a list or an object", () => {
  expect(argValue('[{"box_id": "b"}]')).toEqual([{ box_id: "b" }]);
  expect(argValue("12")).toBe("12");
  expect(argValue("{half")).toBe("{half");
});

test("a recipe asks for its own arguments, and not for what the delegation gives", () => {
  const handover = {
    context_packing_config: {
      pack_arguments: [
        { arg_key: "instruction", as_card_type: "task.instruction", card_metadata: {} },
        { arg_key: "tone", as_card_type: "task.note", card_metadata: {} },
      ],
      inherit_context: {
        include_boxes_from_args: ["input_box_ids", "sources"],
        include_cards_from_args: [],
        include_from_args: ["load", "sources"],
        include_parent: false,
        redact: false,
      },
      order: "arguments_first" as const,
    },
  };
  expect(recipeArgs(handover)).toEqual([
    { name: "tone", kind: "card", card_type: "task.note" },
    { name: "sources", kind: "boxes" },
  ]);
});

test("a context pack goes with its task, and into a plan", () => {
  const form: LaunchForm = { kind: "delegate", tasks: [{ ...one, context_pack: PACK }], at: 0, gate: emptyGate };
  expect(callOf(form).args).toMatchObject({ context_pack: { ref: PACK } });
  expect(callOf({ ...form, tasks: [one] }).args).not.toHaveProperty("context_pack");
});

const PACK = "artifact://context/pack-0123456789abcdef.json";

test("a draft comes back as it was; an older one was the instruction", () => {
  const newKey = () => "k";
  const two = {
    ...one,
    key: "k",
    args: { tone: "dry" },
    recipe: "brief",
    attempts: "2",
    context_tokens_max: "900",
    context_pack: PACK,
  };
  const draft = {
    tasks: [{ ...one, key: "k" }, two],
    at: 1,
    gate: { fail_fast: true, max_parallel: "2", deadline_seconds: "" },
  };
  expect(readDraft(writeDraft(draft), newKey)).toEqual(draft);
  expect(writeDraft(emptyDraft(newKey))).toBeNull();
  expect(readDraft("Still here", newKey).tasks[0]?.text).toBe("Still here");
  expect(readDraft('{"tasks": "none"}', newKey).tasks).toHaveLength(1);
  expect(readDraft("12", newKey).tasks[0]?.text).toBe("12");
});
