"use client";

// A fork: its tasks, what all of them are given first, and when it starts.
import { gateWords } from "@/components/domain/policy-words";
import { Button } from "@/components/ui/button";
import { formatCount } from "@/components/ui/format";
import { IconButton } from "@/components/ui/icon-button";
import { Section } from "@/components/ui/section";
import type { Fork } from "@/server/contract/plan/plan";
import { nameOf } from "@/server/contract/plan/plan-words";
import { isPacked, shortTokens, tokensOf } from "../check/figures";
import { useChecked, useComposer, usePlan } from "../composer-context";
import { addingTask } from "../draft/edits";
import { targetWords } from "../drawing/loads";
import { TextField } from "./fields";
import { LoadSection } from "./load-section";
import { PanelHead } from "./panel-head";
import { ProblemList } from "./problem-list";
import { StartsSection } from "./starts-section";

export function ForkPanel({ id, fork }: { id: string; fork: Fork }) {
  const plan = usePlan();
  const { store } = useComposer();
  const places = useChecked((checked) => checked.places);
  return (
    <>
      <PanelHead place={id} title={nameOf(fork)} sub={`${id}, fork of ${fork.tasks.length}`} />
      <ProblemList place={id} />
      <Section>
        <TextField
          place={id}
          path="/title"
          label="Title"
          name="title"
          value={fork.title}
          maxLength={80}
          placeholder={id}
        />
      </Section>
      <Section title="Tasks" note={formatCount(fork.tasks.length, "task")}>
        <ol>
          {fork.tasks.map((task, index) => {
            const place = `${id}.${task.id}`;
            const check = places.get(place);
            return (
              <li key={task.id} className="load-row">
                <span className="w-4 text-right text-ink-3">{index + 1}</span>
                <button
                  type="button"
                  className="min-w-0 flex-1 truncate text-left hover:underline"
                  onClick={() => store.select([place])}
                >
                  {nameOf(task)}
                  <span className="ml-1.5 text-ink-3">{targetWords(plan, task)}</span>
                </button>
                {check && isPacked(check) ? <span className="text-ink-3">{shortTokens(tokensOf(check))}</span> : null}
                <IconButton
                  icon="up"
                  size="sm"
                  iconSize={13}
                  label={`${nameOf(task)} earlier`}
                  onClick={() =>
                    index > 0 &&
                    store.change({
                      label: `${nameOf(task)} is task ${index}`,
                      ops: [{ op: "move_task", task: place, at: index - 1 }],
                    })
                  }
                />
              </li>
            );
          })}
        </ol>
        <Button size="sm" variant="ghost" icon="plus" keys="t" onClick={() => store.change(addingTask(plan, id, null))}>
          Add a task
        </Button>
      </Section>
      <Section title="Gate" note={gateWords(fork.gate, fork.tasks.length)}>
        <Button size="sm" icon="join" onClick={() => store.select([`gate:${id}`])}>
          Change the gate
        </Button>
      </Section>
      <LoadSection place={id} />
      <StartsSection place={id} />
    </>
  );
}
