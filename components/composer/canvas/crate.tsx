"use client";

// A box, a card or an input that wagons load: no wagon, so it stands on no track.
import { memo } from "react";
import { BoxId } from "@/components/ui/box-id";
import { Consist } from "@/components/ui/consist";
import { formatNumber } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { RoleTag } from "@/components/ui/role-tag";
import { parseConsist } from "@/server/contract/consist";
import type { PlanProblem } from "@/server/contract/plan/problem";
import { useChecked, useDrawn, useIsSelected } from "../composer-context";
import { filledIn } from "../draft/given-inputs";
import { crateId } from "../drawing/links";
import { plate } from "../drawing/loads";
import type { DrawnCrate } from "../drawing/wires";
import { useCrate } from "./use-crate";

export const Crate = memo(function Crate({ crate }: { crate: DrawnCrate }) {
  const { box, kind, ref } = crate;
  const known = useCrate(crate);
  const isSelected = useIsSelected(crateId(crate.id));
  const value = useDrawn(
    ({ inputs, plan }) => filledIn(inputs, ref) || (plan.inputs.find(({ name }) => name === ref)?.default ?? ""),
  );
  const missing = useChecked(({ problems }) => missingIn(problems).some((message) => message.includes(ref)));
  return (
    <div
      className="crate"
      data-crate={crate.id}
      data-missing={missing ? "" : undefined}
      data-selected={isSelected ? "" : undefined}
      title={
        missing
          ? `${kind} ${ref} is not in this project`
          : kind === "input"
            ? value || "Filled in at each launch"
            : known.words
      }
      style={{ left: box.x, top: box.y, width: box.w, height: box.h }}
    >
      <span className="crate-line">
        {kind === "card" ? <RoleTag cardRole={known.role} /> : null}
        {kind === "input" ? <Icon name="target" size={14} /> : null}
        {kind === "box" ? <BoxId code={plate(ref)} /> : null}
        <span dir="auto" className="min-w-0 flex-1 truncate">
          {kind === "input" ? ref : missing ? "not in this project" : known.words}
        </span>
        {known.tokens === null ? null : <span className="text-ink-3">{formatNumber(known.tokens)}</span>}
      </span>
      {known.consist === "" ? null : <Consist cards={parseConsist(known.consist)} height={4} />}
    </div>
  );
});

/** What is said of boxes that are missing: looked up once for all crates. */
function missingIn(problems: readonly PlanProblem[]): readonly string[] {
  const known = missing.get(problems);
  if (known) return known;
  const found = problems.flatMap(({ code, message }) => (code === "box_missing" ? message : []));
  missing.set(problems, found);
  return found;
}

const missing = new WeakMap<readonly PlanProblem[], readonly string[]>();
