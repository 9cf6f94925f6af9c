"use client";

// What is selected, in full: the plan, a wagon, a task, a fork, its gate, or several at once.
import { memo, useMemo } from "react";
import type { Fork } from "@/server/contract/plan/plan";
import { isTaskPlace } from "@/server/contract/plan/plan-words";
import { usePart, useSelection } from "../composer-context";
import { linkOf } from "../drawing/links";
import { ForkPanel } from "./fork-panel";
import { GatePanel } from "./gate-panel";
import { LinkPanel } from "./link-panels";
import { NotePanel } from "./note-panel";
import { PlanPanel } from "./plan-panel";
import { RiderPanel } from "./rider-panel";
import { SeveralPanel } from "./several-panel";

export const Inspector = memo(function Inspector() {
  const selection = useSelection();
  const [first] = selection;
  const key = useMemo(() => selection.join(" "), [selection]);
  if (first === undefined) return <PlanPanel />;
  if (selection.length > 1) return <SeveralPanel key={key} />;
  const link = linkOf(first);
  if (link !== null) return <LinkPanel key={key} link={link} />;
  if (first.startsWith("gate:")) return <GatePanel key={key} fork={first.slice(5)} />;
  if (first.startsWith("note:")) return <NotePanel key={key} id={first.slice(5)} />;
  return <One key={key} place={first} />;
});

function One({ place }: { place: string }) {
  const part = usePart(place);
  if (!part) return <PlanPanel />;
  if (!isTaskPlace(place) && "tasks" in part) return <ForkPanel id={place} fork={part as Fork} />;
  return <RiderPanel place={place} />;
}
