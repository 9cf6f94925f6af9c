"use client";

// Who a group of rows waits for; where no worker takes them, what would start one.
import { agentName, tailOf } from "@/components/domain/agent-names";
import { AgentMark } from "@/components/ui/agent-mark";
import { CopyButton } from "@/components/ui/copy-button";
import { formatNumber } from "@/components/ui/format";
import { HumanMark } from "@/components/ui/human-mark";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { type Grouping, type InboxGroup, missingWorkers } from "./inbox-groups";

export type InboxGroupHeadProps = { projectId: string; group: InboxGroup; by: Grouping };

export function InboxGroupHead({ projectId, group, by }: InboxGroupHeadProps) {
  const [line] = group.lines;
  if (line === undefined) return null;
  const missing = missingWorkers(group);
  return (
    <>
      <h2 className="inbox-group">
        {by === "agent" ? (
          <Link
            href={`/p/${encodeURIComponent(projectId)}/agents/${line.agent_id}`}
            title={line.agent_id}
            className="flex min-w-0 items-center gap-2 hover:underline"
          >
            {line.agent_id.startsWith("human_") ? (
              <HumanMark name={line.agent_id.slice(6)} size={18} />
            ) : (
              <AgentMark agentId={line.agent_id} profile={line.profile_name} size={18} />
            )}
            <b className="truncate">{agentName(line)}</b>
          </Link>
        ) : (
          <b className="mono text-[12px]">{group.key}</b>
        )}
        {by === "target" ? (
          <span className="text-ink-3">worker target</span>
        ) : (
          <>
            {line.display_name === undefined ? null : <span className="mono text-ink-3">{tailOf(line.agent_id)}</span>}
            {agentName(line) === line.profile_name ? null : <span className="text-ink-3">{line.profile_name}</span>}
          </>
        )}
        <span className="flex-1" />
        <span className="text-ink-3">{formatNumber(group.lines.length)} waiting</span>
      </h2>
      {missing.built_in.length > 0 ? <MissingBuiltIn targets={missing.built_in} /> : null}
      {missing.own.length > 0 ? <MissingOwn targets={missing.own} /> : null}
    </>
  );
}

function MissingBuiltIn({ targets }: { targets: string[] }) {
  const command = `SWITCHYARD_WORKER_TARGETS=${targets.join(",")} npm run worker`;
  return (
    <p className="inbox-starved">
      <Icon name="warn" size={15} className="text-st-partial" />
      <span>
        <b>No worker is running for {targets.join(", ")}.</b>{" "}
        <span className="text-ink-2">Nothing is lost. They start within a second after a worker does:</span>
      </span>
      <code className="mono min-w-0 break-all">{command}</code>
      <CopyButton text={command} label="Copy the command" size="sm" />
    </p>
  );
}

// The command above was offered here too; the worker that it starts leaves these turns.
function MissingOwn({ targets }: { targets: string[] }) {
  return (
    <p className="inbox-starved">
      <Icon name="warn" size={15} className="text-st-partial" />
      <span>
        <b>No worker of this project is running for {targets.join(", ")}.</b>{" "}
        <span className="text-ink-2">
          The profile names no model, so the built-in worker leaves these turns. Start your own worker program
          (docs/workers.md). They start within a second after it does.
        </span>
      </span>
    </p>
  );
}
