"use client";

// What the plan shows: who called whom, the agents, or which cards went where. Selection and filter stay.
import { useQueryStates } from "nuqs";
import { Segmented } from "@/components/ui/segmented";
import { useShortcut } from "@/components/ui/shortcuts";
import { useYard } from "../yard-context";
import { yardParams } from "../yard-url";
import { useOtherView } from "../yard-views";
import "./lens-base.css";

const choices = [
  { value: "delegations", label: "Delegations" },
  { value: "agents", label: "Agents" },
  { value: "flow", label: "Context flow" },
] as const;
type Lens = (typeof choices)[number]["value"];
const group = "Yard";

export function LensSwitch() {
  const [, setParams] = useQueryStates(yardParams);
  const { lens } = useYard();
  const isPlan = useOtherView() === null;
  const look = (next: Lens) =>
    void setParams({
      lens: next === "delegations" ? null : next,
      view: null,
      tour: null,
      flow_from: null,
      flow_to: null,
    });
  useShortcut("1", "Lens: delegations", () => look("delegations"), { group });
  useShortcut("2", "Lens: agents", () => look("agents"), { group });
  useShortcut("3", "Lens: context flow", () => look("flow"), { group });
  if (!isPlan) return null;
  return (
    <span className="lens-switch">
      <Segmented label="Lens" value={lens ?? "delegations"} onChange={look} choices={choices} />
    </span>
  );
}
