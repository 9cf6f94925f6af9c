// What a pasted text is: a fragment, a whole plan, the arguments of a delegation, an id, or the words of a new wagon.
import { isRecord } from "../is-record";
import { argumentNodes } from "./argument-nodes";
import { type Fragment, parseFragment } from "./fragment";
import { isTooLarge } from "./is-too-large";
import { freeId, type PlanFault, parsePlan } from "./parse-plan";
import { plainJson } from "./plain-json";
import { type Plan, Wagon } from "./plan";
import { titleOf } from "./plan-words";

export type Pasted =
  | { kind: "fragment"; fragment: Fragment }
  | { kind: "plan"; plan: Plan }
  /** Of a box or a card: only the kernel knows which. */
  | { kind: "id"; id: string }
  /** Nothing changes. The message is for the person. */
  | { kind: "refused"; message: string };

/** yaml/parse-yaml.ts, which is loaded when a text needs it (`isWritten`). */
export type ReadYaml = (
  text: string,
) =>
  | { value: unknown; placeOf: (path: string) => { line: number } }
  | { problems: { line: number; path: string; message: string }[] };

/** Whether it means to be a plan, a fragment or arguments, and not words. */
const isWritten = (text: string): boolean =>
  /(^|[{,])[ \t]*["']?switchyard["']?[ \t]*:/m.test(text) || /^nodes:[ \t]*$/m.test(text) || isRecord(json(text));

const TOO_LARGE = "Not pasted: the text is larger than 4 MiB, the most a plan may have. Load long texts as cards.";

export function readClipboard(text: string, readYaml: ReadYaml): Pasted {
  if (isTooLarge(text)) return { kind: "refused", message: TOO_LARGE };
  const words = text.trim();
  if (/^[0-9a-f]{32}$/.test(words)) return { kind: "id", id: words };
  if (words === "") return { kind: "refused", message: "This is no plan: it is empty." };
  if (!isWritten(text)) return { kind: "fragment", fragment: ofNodes([wagonOf(words)]) };
  const yaml = readYaml(text);
  // JSON with tabs is no YAML.
  const body = "problems" in yaml ? json(text) : yaml.value;
  if (body === undefined && "problems" in yaml) return refused(yaml.problems[0]?.line ?? 1, yaml.problems[0]);
  const plain = plainJson(body);
  const read = "fault" in plain ? plain : understood(plain.value);
  if (!("fault" in read)) return read;
  return refused("problems" in yaml ? 1 : yaml.placeOf(read.fault.path).line, read.fault);
}

function understood(body: unknown): Pasted | { fault: PlanFault } {
  if (!isRecord(body)) return { fault: { path: "switchyard", message: "is missing" } };
  if (body.switchyard === "fragment/1") {
    const read = parseFragment(body);
    return "fault" in read ? read : { kind: "fragment", ...read };
  }
  if (body.switchyard === undefined && !("nodes" in body)) {
    const read = argumentNodes(body);
    if (read) return "fault" in read ? read : { kind: "fragment", fragment: ofNodes(read.nodes) };
  }
  const read = parsePlan(body);
  return "fault" in read ? read : { kind: "plan", plan: read.plan };
}

const ofNodes = (nodes: Fragment["nodes"]): Fragment => ({ switchyard: "fragment/1", nodes, notes: [], places: {} });

const wagonOf = (instruction: string): Wagon =>
  Wagon.parse({ kind: "wagon", id: freeId(titleOf({ instruction }), new Set()), instruction });

function refused(line: number, fault: PlanFault = { path: "", message: "it is not readable" }): Pasted {
  const { path, message } = fault;
  const said = message.startsWith("is missing") ? `${path} is missing` : path === "" ? message : `${path}: ${message}`;
  return { kind: "refused", message: `This is no plan: line ${line}, ${said.replace(/\.$/, "")}.` };
}

function json(text: string): unknown {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
