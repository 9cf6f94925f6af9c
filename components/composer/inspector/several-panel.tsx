"use client";

// Several at once: what they are together, and what can be done with all of them.
import { Button } from "@/components/ui/button";
import { Section } from "@/components/ui/section";
import { nameOf, ridersOf } from "@/server/contract/plan/plan-words";
import { sumOf, tokenWords } from "../check/figures";
import { duplicate } from "../clipboard";
import { knownParts, useChecked, useComposer, usePlan, useSelection } from "../composer-context";
import { aligning } from "../draft/aligning";
import { removing, toggling } from "../draft/edits";
import { tidying } from "../draft/tidying";

export function SeveralPanel() {
  const composing = useComposer();
  const { store, ground } = composing;
  const plan = usePlan();
  const selection = useSelection();
  const checks = useChecked(({ places }) => places);
  const chosen = new Set(selection);
  const riders = ridersOf(plan).filter(({ place, node }) => chosen.has(place) || chosen.has(node.id));
  const known = riders.flatMap(({ place }) => checks.get(place) ?? []);
  const sum = sumOf(known);
  const change = (made: ReturnType<typeof toggling>) => {
    if (made) store.change(made);
  };
  return (
    <>
      <header className="border-line border-b px-4 py-3.5">
        <h2 className="text-title">{selection.length} selected</h2>
        <p className="text-ink-3">
          {riders.length} wagons{sum === null ? "" : `, ${tokenWords(sum)} tokens to start`}
        </p>
      </header>
      <Section>
        <div className="flex flex-wrap gap-1.5">
          <Button size="sm" keys="p" onClick={() => change(toggling(plan, selection, "hold"))}>
            Hold
          </Button>
          <Button size="sm" keys="x" onClick={() => change(toggling(plan, selection, "disabled"))}>
            Switch off or on
          </Button>
          <Button size="sm" onClick={() => change(aligning(plan, ground.get(), selection, "row"))}>
            Align in a row
          </Button>
          <Button size="sm" onClick={() => change(aligning(plan, ground.get(), selection, "col"))}>
            Align in a column
          </Button>
          <Button size="sm" keys="alt+t" onClick={() => store.change(tidying(plan, selection))}>
            Tidy
          </Button>
          <Button size="sm" keys="mod+d" onClick={() => duplicate(composing, selection)}>
            Duplicate
          </Button>
          <Button size="sm" variant="danger" onClick={() => store.change(removing(plan, selection))}>
            Delete
          </Button>
        </div>
      </Section>
      <Section title="Selected">
        <ul>
          {selection.map((place) => {
            const part = knownParts(plan).get(place);
            return (
              <li key={place}>
                <button
                  type="button"
                  className="min-h-7 w-full truncate text-left hover:underline"
                  onClick={() => store.select([place])}
                >
                  {part ? nameOf(part) : place}
                </button>
              </li>
            );
          })}
        </ul>
      </Section>
    </>
  );
}
