// One text for one plan: the sha256 of it names a body. Values that equal their default are left out, so a field that is added
// later changes no older hash. Where things stand is left out too.
import { canonicalJson } from "../canonical-json";
import { isRecord } from "../is-record";
import { Handover, PackRule } from "../pack";
import {
  After,
  Ask,
  Fork,
  type Load,
  type Plan,
  PlanInput,
  type PlanNode,
  PlanShape,
  PlanTask,
  Target,
  Wagon,
} from "./plan";

export function canonicalPlan(plan: Plan): string {
  const { layout: _, ...body } = leanPlan(plan);
  return canonicalJson(body);
}

/** Without what the schema would fill in; undefined = left out. */
export function leanPlan(plan: Plan): Record<string, unknown> {
  const { inputs, nodes, ...rest } = plan;
  return {
    ...kept(rest, bare.plan),
    inputs: listOf(inputs, (input) => kept(input, bare.input)),
    nodes: listOf(nodes, knownForm),
  };
}

/** What the schema fills in, by what it is filled into: a default that is added to the schema is one here. */
const bare = {
  plan: without(PlanShape.parse({ switchyard: "plan/1" }), "switchyard"),
  input: without(PlanInput.parse({ name: "a", kind: "text" }), "name", "kind"),
  wagon: without(Wagon.parse({ kind: "wagon", id: "a" }), "id"),
  ask: without(Ask.parse({ kind: "ask", id: "a" }), "id", "kind"),
  fork: without(Fork.parse({ kind: "fork", id: "a" }), "id", "kind"),
  task: without(PlanTask.parse({ id: "a" }), "id"),
  after: without(After.parse({ node: "a" }), "node"),
  load: { take: "deliverable" },
  target: without(Target.parse({ ref: "a" }), "ref"),
  handover: { ...Handover.parse({}) },
  rule: without(PackRule.parse({ arg_key: "a" }), "arg_key"),
};

function without(given: object, ...names: string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)));
}

/** Found once for each node: of a plan that is saved while it is drawn all but one are as they were. */
function knownForm(node: PlanNode): object {
  const known = forms.get(node) ?? nodeForm(node);
  forms.set(node, known);
  return known;
}

const forms = new WeakMap<PlanNode, object>();

function nodeForm(node: PlanNode): object {
  const form = { ...riderForm(node, bare[node.kind]), after: listOf(node.after, (after) => kept(after, bare.after)) };
  return node.kind === "fork" ? { ...form, tasks: listOf(node.tasks, (task) => riderForm(task, bare.task)) } : form;
}

function riderForm(rider: PlanNode | PlanTask, defaults: Record<string, unknown>): object {
  const form = { ...kept(rider, defaults), load: listOf(rider.load, (load: Load) => kept(load, bare.load)) };
  if ("tasks" in rider) return form;
  return {
    ...form,
    target: rider.target && kept(rider.target, bare.target),
    handover: rider.handover && handoverForm(rider.handover),
  };
}

function handoverForm(handover: Handover): object {
  const { pack_arguments } = handover.context_packing_config;
  const form: Record<string, unknown> = kept(handover, bare.handover);
  const rules = listOf(pack_arguments, (rule) => kept(rule, bare.rule));
  if (!rules) return form;
  const config = isRecord(form.context_packing_config) ? form.context_packing_config : {};
  return { ...form, context_packing_config: { ...config, pack_arguments: rules } };
}

/** Undefined = empty, which is the default of every list. */
const listOf = <T>(list: readonly T[], form: (item: T) => object): object[] | undefined =>
  list.length === 0 ? undefined : list.map(form);

/** A name without a default keeps its value as it is: what is in `arguments` is not ours. */
function kept(given: object, defaults: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      const own = Object.hasOwn(defaults, name) ? unlessDefault(value, defaults[name]) : value;
      return own === undefined ? [] : [[name, own]];
    }),
  );
}

function unlessDefault(value: unknown, fallback: unknown): unknown {
  if (value === fallback) return undefined;
  if (Array.isArray(value)) return value.length === 0 && Array.isArray(fallback) ? undefined : value;
  if (!isRecord(value) || !isRecord(fallback)) return value;
  const form = kept(value, fallback);
  return Object.keys(form).length === 0 ? undefined : form;
}
