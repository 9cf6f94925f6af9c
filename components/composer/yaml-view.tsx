"use client";

// The plan as text. The drawing follows the last text that is a plan; comments stay where they are when it is edited on the ground.
import { useEffect, useRef, useState } from "react";
import { type LineMark, showLine, YamlEditor } from "@/components/domain/yaml-editor";
import { Field } from "@/components/ui/field";
import { useShortcut } from "@/components/ui/shortcuts";
import { SkeletonRows } from "@/components/ui/skeleton";
import type { PlanOpInput } from "@/server/contract/plan/op";
import { opsBetween } from "@/server/contract/plan/ops-between";
import type { Plan } from "@/server/contract/plan/plan";
import type { PlanProblem } from "@/server/contract/plan/problem";
import { useChecked, useComposer } from "./composer-context";

type Yaml = typeof import("@/server/contract/plan/yaml/parse-yaml") &
  typeof import("@/server/contract/plan/yaml/to-yaml");
type Read =
  | { problems: { line: number; path: string; message: string }[] }
  | { placeOf: (path: string) => { line: number } };

/** `kept`: the text as it was last written, with its comments. Escape leads back to the ground. */
export type YamlViewProps = { kept: string | null; onKept: (text: string) => void; onClose: () => void };

export function YamlView({ kept, onKept, onClose }: YamlViewProps) {
  const [yaml, setYaml] = useState<Yaml | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    Promise.all([import("@/server/contract/plan/yaml/parse-yaml"), import("@/server/contract/plan/yaml/to-yaml")]).then(
      ([parse, to]) => setYaml({ ...parse, ...to }),
      (error: unknown) => setFailure(error instanceof Error ? error.message : String(error)),
    );
  }, []);
  if (failure !== null) return <p className="p-4 text-st-failed">The YAML view could not be loaded: {failure}</p>;
  if (yaml === null)
    return (
      <div className="flex-1 p-4">
        <SkeletonRows count={14} rowHeight={20} label="Loading the text" />
      </div>
    );
  return <Editor yaml={yaml} {...{ kept, onKept, onClose }} />;
}

function Editor({ yaml, kept, onKept, onClose }: YamlViewProps & { yaml: Yaml }) {
  const { store } = useComposer();
  const problems = useChecked((checked) => checked.problems);
  const editor = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(() => yaml.toYaml(store.get().plan, kept ?? undefined));
  const [read, setRead] = useState<Read>(() => yaml.parseYaml(text));
  // The plan may change under the text: by undo, or by a remedy.
  const [drawn, setDrawn] = useState<Plan>(store.get().plan);
  useEffect(
    () =>
      store.subscribe(() => {
        const { plan } = store.get();
        setDrawn((before) => {
          if (before === plan) return before;
          setText((now) => {
            const here = yaml.parseYaml(now);
            const next = "plan" in here && opsBetween(here.plan, plan).length === 0 ? now : yaml.toYaml(plan, now);
            if (next !== now) setRead(yaml.parseYaml(next));
            return next;
          });
          return plan;
        });
      }),
    [store, yaml],
  );
  useEffect(() => onKept(text), [text, onKept]);

  function change(next: string) {
    setText(next);
    const parsed = yaml.parseYaml(next);
    setRead(parsed);
    if (!("plan" in parsed)) return;
    const ops: PlanOpInput[] = opsBetween(store.get().plan, parsed.plan);
    if (ops.length > 0) store.change({ label: "Text edited", ops, key: "yaml" });
  }

  useShortcut("escape", "Back to the plan", onClose, { group: "Composer", isWhileTyping: true });
  const shown = linesOf(read, problems);
  const marks = new Map<number, LineMark>();
  for (const { line, severity } of shown) if (marks.get(line) !== "error") marks.set(line, severity);
  return (
    <div className="composer-yaml" data-panel data-drawn={drawn.nodes.length}>
      <Field label="Plan as YAML" isLabelHidden>
        <YamlEditor ref={editor} value={text} marks={marks} isFirst onChange={change} onSave={() => undefined} />
      </Field>
      <ul aria-label="Problems" className="max-h-40 flex-none overflow-y-auto">
        {shown.map(({ line, severity, message }) => (
          <li key={`${line} ${message}`} className="flex gap-2 px-3 py-1">
            <button type="button" className="flex-none underline" onClick={() => showLine(editor.current, line)}>
              Line {line}
            </button>
            <span dir="auto" className={severity === "error" ? "text-st-failed" : "text-st-partial"}>
              {message}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

type Shown = { line: number; severity: "error" | "warning"; message: string };

function linesOf(read: Read, problems: readonly PlanProblem[]): Shown[] {
  if ("problems" in read)
    return read.problems.map(({ line, path, message }) => ({
      line,
      severity: "error",
      message: path === "" ? message : `${path}: ${message}`,
    }));
  return problems
    .map(({ path, severity, message }): Shown => ({ line: read.placeOf(path).line, severity, message }))
    .toSorted((a, b) => a.line - b.line);
}
