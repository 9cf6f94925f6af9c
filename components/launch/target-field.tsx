"use client";

// Who does it: a new agent of a profile, an agent that goes on, or a copy of one with what it has written so far.
import { type KeyboardEvent, useState } from "react";
import { AgentMark } from "@/components/ui/agent-mark";
import { Icon } from "@/components/ui/icon";
import { Popover } from "@/components/ui/popover";
import { Segmented, type SegmentedProps } from "@/components/ui/segmented";
import type { TargetStrategy } from "@/server/contract/turn";
import type { LaunchTarget } from "./launch-url";
import { TargetList } from "./target-list";
import { AgentFacts, ProfileFacts } from "./target-rows";
import { useSearch } from "./use-search";

export type TargetFieldProps = {
  projectId: string;
  target: LaunchTarget | null;
  onChange: (target: LaunchTarget | null) => void;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** An expert, and whoever reads a packed box, is a new agent. */
  isNewOnly?: boolean;
  /** Below it, in place of what the strategy means. */
  note?: string;
  /** What the dry run says is wrong with it. */
  error: string | null;
};

export function TargetField(props: TargetFieldProps) {
  const { projectId, target, onChange, isOpen, onOpenChange, isNewOnly = false, note, error } = props;
  const [strategy, setStrategy] = useState<TargetStrategy>(target?.target_strategy ?? "new");
  const [typed, setTyped] = useState("");
  const shown = isNewOnly ? "new" : (target?.target_strategy ?? strategy);

  /** As a select does: an arrow opens it, and so does a letter, which is the first of what is looked for. */
  function openByTyping(event: KeyboardEvent) {
    const isLetter = event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!isLetter && event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    setTyped(isLetter ? event.key : "");
    onOpenChange(true);
  }
  return (
    <fieldset className="launch-target">
      <legend className="sr-only">Target</legend>
      {isNewOnly ? null : (
        <div>
          <span className="launch-label">Target</span>
          <Segmented
            label="Target"
            value={shown}
            choices={strategies}
            onChange={(value) => {
              setStrategy(value);
              // A profile is not an agent; from reuse to clone the agent stays.
              const isSameKind = (value === "new") === (shown === "new");
              onChange(target !== null && isSameKind ? { ...target, target_strategy: value } : null);
            }}
          />
        </div>
      )}
      <div className="min-w-0 flex-1">
        <span className="launch-label" id="launch-target">
          {shown === "new" ? "Profile" : "Agent"}
        </span>
        <Popover
          label={shown === "new" ? "Choose a profile" : "Choose an agent"}
          isOpen={isOpen}
          onOpenChange={(isOpen) => {
            setTyped("");
            onOpenChange(isOpen);
          }}
          className="launch-popover p-0!"
          trigger={
            <button
              type="button"
              onKeyDown={openByTyping}
              aria-labelledby="launch-target launch-target-value"
              aria-invalid={error === null ? undefined : true}
              aria-describedby={error === null ? undefined : "launch-target-error"}
              className="field-box flex items-center gap-2"
            >
              <span id="launch-target-value" className="flex min-w-0 flex-1 items-center gap-2 text-left">
                {target === null ? (
                  <span className="text-ink-3">{shown === "new" ? "Choose a profile" : "Choose an agent"}</span>
                ) : (
                  <Chosen projectId={projectId} target={target} />
                )}
              </span>
              <Icon name="down" size={13} className="text-ink-3" />
            </button>
          }
        >
          <TargetList
            projectId={projectId}
            strategy={shown}
            typed={typed}
            chosen={target?.target_ref ?? null}
            onChoose={(target_ref) => {
              onChange({ target_strategy: shown, target_ref });
              onOpenChange(false);
            }}
          />
        </Popover>
        {error === null ? (
          <p className="mt-1 text-ink-3 text-note">{note ?? explained[shown]}</p>
        ) : (
          <p id="launch-target-error" className="mt-1 text-note text-st-failed">
            {error}
          </p>
        )}
      </div>
    </fieldset>
  );
}

function Chosen({ projectId, target }: { projectId: string; target: LaunchTarget }) {
  const isNew = target.target_strategy === "new";
  const { hits } = useSearch({
    projectId,
    query: target.target_ref,
    kinds: isNew ? ["profile"] : ["agent"],
    limit: 1,
  });
  const profile = hits?.profiles.find((hit) => hit.name.toLowerCase() === target.target_ref.toLowerCase());
  const agent = hits?.agents.find((hit) => hit.agent_id === target.target_ref);
  return (
    <>
      <AgentMark
        agentId={target.target_ref}
        profile={isNew ? target.target_ref : (agent?.profile_name ?? "")}
        size={16}
      />
      <span dir="auto" className="truncate">
        {agent?.display_name ?? profile?.name ?? target.target_ref}
      </span>
      {profile === undefined ? null : <ProfileFacts hit={profile} />}
      {agent === undefined ? null : <AgentFacts hit={agent} />}
    </>
  );
}

const strategies: SegmentedProps<TargetStrategy>["choices"] = [
  { value: "new", label: "New", icon: "plus" },
  { value: "reuse", label: "Reuse", icon: "retry" },
  { value: "clone", label: "Clone", icon: "copy" },
];

const explained: Record<TargetStrategy, string> = {
  new: "A new agent. It sees only its profile and what you hand over.",
  reuse: "An existing agent. It also sees what it has written before.",
  clone: "A new agent that also sees what another agent has written so far.",
};
