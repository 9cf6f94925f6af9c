// Sets a field of a node, a task or the plan, and lets the field's own schema judge the result. A new id takes what refers to
// it along: a plan refers by id, and a rename that left the old id behind could never be accepted.
import type * as z from "zod";
import { isRecord } from "../is-record";
import { shapeFault } from "../shape-fault";
import type { Applied, OpOf, PlanOp, Refusal } from "./op";
import { referenceFault } from "./parse-plan";
import { lost, type Part, partAt, refuse, withNode, withTasks } from "./parts";
import { Ask, Fork, NodeId, type Plan, PlanNode, PlanShape, PlanTask, Wagon } from "./plan";
import { withReferences } from "./references";
import { pointerOf, setAt, tokensOf } from "./set-at";

type Set = OpOf<"set">;

export function applySet(plan: Plan, op: Set): Applied | Refusal {
  const tokens = tokensOf(op.path);
  if (!tokens) return refuse("path", "expected a JSON pointer such as /title or /gate/max_parallel");
  const [field, ...inner] = tokens;
  if (op.node === undefined) return setField(plan, op, tokens, planFields, (own) => present({ ...plan, ...own }));
  const part = partAt(plan, op.node);
  if (!part) return lost("node", op.node);
  const whole = part.task ?? part.node;
  if (field === undefined) return setWhole(plan, part, op, op.value);
  if (field === "kind" && !part.task && inner.length === 0)
    return setWhole(plan, part, op, { ...part.node, kind: op.value });
  if (field === "id" && inner.length === 0) return rename(plan, part, op);
  const fields = part.task ? taskFields : nodeFields[part.node.kind];
  return setField(whole, op, tokens, fields, (own) => put(plan, part, { ...whole, ...own }));
}

const { id: _task, ...taskFields } = PlanTask.shape;
const { kind: _wagon, id: _w, ...wagonFields } = Wagon.shape;
const { kind: _ask, id: _a, ...askFields } = Ask.shape;
const { kind: _fork, id: _f, tasks: _tasks, ...forkFields } = Fork.shape;
const { switchyard: _version, nodes: _nodes, layout: _layout, ...planFields } = PlanShape.shape;
const nodeFields = { wagon: wagonFields, ask: askFields, fork: forkFields };

function setField(
  owner: object,
  op: Set,
  tokens: string[],
  fields: Record<string, z.ZodType>,
  put: (own: Record<string, unknown>) => Plan,
): Applied | Refusal {
  const [field = ""] = tokens;
  const schema = Object.hasOwn(fields, field) ? fields[field] : undefined;
  if (!schema) return refuse("path", `unknown field. Known fields: ${Object.keys(fields).join(", ")}`);
  const set = setAt(owner, tokens, op.value);
  if ("fault" in set) return { refusal: set.fault };
  const parsed = schema.safeParse((set.next as Record<string, unknown>)[field]);
  if (!parsed.success) return refuse(...inValue(shapeFault(parsed.error, field), tokens));
  const { tokens: at, ...undo } = set.undo;
  const inverse = { ...pick(op), path: pointerOf(at), ...undo } as PlanOp;
  return checked(put({ [field]: parsed.data }), [inverse]);
}

function setWhole(plan: Plan, part: Part, op: Set, value: unknown): Applied | Refusal {
  const whole = part.task ?? part.node;
  if (isRecord(value) && value.id !== undefined && value.id !== whole.id)
    return refuse("value.id", `expected ${JSON.stringify(whole.id)}; change an id with the path /id`);
  const parsed = (part.task ? PlanTask : PlanNode).safeParse(value);
  if (!parsed.success) return refuse(...inValue(shapeFault(parsed.error), []));
  return checked(put(plan, part, parsed.data), [{ ...pick(op), path: "", value: whole as z.core.util.JSONType }]);
}

function rename(plan: Plan, part: Part, op: Set): Applied | Refusal {
  const parsed = NodeId.safeParse(op.value);
  if (!parsed.success) return refuse(...inValue(shapeFault(parsed.error), []));
  const id = parsed.data;
  const was = part.task ? `${part.node.id}.${part.task.id}` : part.node.id;
  const now = part.task ? `${part.node.id}.${id}` : id;
  if (now !== was && partAt(plan, now))
    return refuse("value", `${id} is taken by another ${part.task ? "task" : "node"}; choose another id`);
  const renamed = put(plan, part, { ...(part.task ?? part.node), id });
  return {
    plan: withReferences(renamed, (place) =>
      place === was ? now : place.startsWith(`${was}.`) ? `${now}${place.slice(was.length)}` : place,
    ),
    inverse: [{ op: "set", node: now, path: "/id", value: part.task?.id ?? part.node.id }],
  };
}

function put(plan: Plan, part: Part, next: object): Plan {
  const own = present(next);
  return part.task
    ? withTasks(plan, part.i, part.node, part.node.tasks.with(part.j, own as PlanTask))
    : withNode(plan, part.i, own as PlanNode);
}

/** A field without a value is no field. */
const present = <T extends object>(given: T): T =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as T;

function checked(plan: Plan, inverse: PlanOp[]): Applied | Refusal {
  const fault = referenceFault(plan);
  if (!fault) return { plan, inverse };
  return refuse(fault.path, fault.message);
}

const pick = ({ op, node }: Set) => (node === undefined ? { op } : { op, node });

/** A fault in what was set is told by its path in the value. */
function inValue({ path, message }: { path: string; message: string }, tokens: string[]): [string, string] {
  const at = tokens.join(".");
  const rest = at === "" ? path : path === at ? "" : path.startsWith(`${at}.`) ? path.slice(at.length + 1) : "";
  return [rest === "" ? "value" : `value.${rest}`, message];
}
