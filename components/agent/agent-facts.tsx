"use client";

// Beside an agent's turns: who it is, where its boxes are, who made it and whom it made.
import { agentName, isPerson, personName, tailOf } from "@/components/domain/agent-names";
import { epochHint } from "@/components/domain/epoch-hint";
import { useUnserved } from "@/components/domain/use-unserved";
import { BoxId } from "@/components/ui/box-id";
import { Chip } from "@/components/ui/chip";
import { FactLines } from "@/components/ui/facts";
import { formatCount, formatNumber } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { Ago, Clock } from "@/components/ui/time";
import { boxPlate } from "@/server/contract/box";
import type { AgentSheet, IdentityEdge } from "@/server/contract/line";
import { Face } from "./face";
import { WorkerTarget } from "./worker-target";

export function AgentFacts({ projectId, agent }: { projectId: string; agent: AgentSheet }) {
  const isMissing = useUnserved(projectId, [agent]);
  const base = `/p/${encodeURIComponent(projectId)}`;
  const made = agent.identity_edges.filter((edge) => edge.target_agent_id === agent.agent_id);
  const makes = agent.identity_edges.filter((edge) => edge.target_agent_id !== agent.agent_id);
  return (
    <aside aria-label="Facts about the agent" className="border-line min-[1000px]:border-l max-[1000px]:border-t">
      <Section title="Identity">
        <FactLines
          labelWidth={96}
          facts={[
            { name: "Agent", value: <span className="mono break-all">{agent.agent_id}</span> },
            { name: "Profile", value: <ProfileLink base={base} agent={agent} /> },
            { name: "Worker target", value: <WorkerTarget agent={agent} isMissing={isMissing(agent)} /> },
            ...(agent.tags.length === 0
              ? []
              : [
                  {
                    name: "Tags",
                    value: (
                      <span className="flex flex-wrap gap-1">
                        {agent.tags.map((tag) => (
                          <Chip key={tag}>{tag}</Chip>
                        ))}
                      </span>
                    ),
                  },
                ]),
            { name: "Created", value: <Ago at={agent.created_at} /> },
            {
              name: "Last seen",
              value: agent.last_seen_at === undefined ? "never" : <Ago at={agent.last_seen_at} />,
            },
          ]}
        />
      </Section>
      <Section title="State">
        <FactLines
          labelWidth={96}
          facts={[
            { name: "Status", value: agent.head.status },
            { name: "Epoch", value: formatNumber(agent.head.turn_epoch), hint: epochHint },
            { name: "Queue", value: `${formatNumber(agent.queued_count)} waiting` },
            ...(agent.head.waiting_tool_count === 0
              ? []
              : [{ name: "Waits for", value: formatCount(agent.head.waiting_tool_count, "result") }]),
            ...(agent.head.lease_holder === undefined
              ? []
              : [{ name: "Held by", value: <span className="mono break-all">{agent.head.lease_holder}</span> }]),
            ...(agent.head.heartbeat_at === undefined
              ? []
              : [{ name: "Last beat", value: <Clock at={agent.head.heartbeat_at} /> }]),
          ]}
        />
      </Section>
      <Section title="Boxes">
        <ul className="grid gap-1">
          {agent.last_output_box_id === undefined ? null : (
            <BoxLine base={base} boxId={agent.last_output_box_id} words="its latest output, used as memory" />
          )}
          <BoxLine base={base} boxId={agent.profile_box_id} words="the profile it was made of" />
        </ul>
        <Link className="link mt-2 inline-block" href={`${base}/boxes?agent=${agent.agent_id}`}>
          All of its boxes
        </Link>
      </Section>
      <Edges title="Made by" base={base} edges={made} side="source" />
      <Edges title="Made by it" base={base} edges={makes} side="target" />
      {agent.identity_edges.length < agent.identity_edge_count ? (
        <p className="px-4 pb-3 text-ink-3">
          {formatNumber(agent.identity_edges.length)} of {formatNumber(agent.identity_edge_count)} ties, the oldest.
        </p>
      ) : null}
    </aside>
  );
}

function ProfileLink({ base, agent }: { base: string; agent: AgentSheet }) {
  return (
    <Link className="link" href={`${base}/profiles/${encodeURIComponent(agent.profile_name)}`}>
      {agent.profile_name}
    </Link>
  );
}

function BoxLine({ base, boxId, words }: { base: string; boxId: string; words: string }) {
  return (
    <li>
      <Link href={`${base}/boxes/${boxId}`} className="flex h-6 items-center gap-2 hover:bg-raise">
        <BoxId code={boxPlate(boxId)} title={boxId} />
        <span className="truncate text-ink-2">{words}</span>
      </Link>
    </li>
  );
}

const actionWords: Record<IdentityEdge["action"], string> = {
  provision: "created",
  derive: "derived",
  update: "changed",
};

type EdgesProps = { title: string; base: string; edges: readonly IdentityEdge[]; side: "source" | "target" };

function Edges({ title, base, edges, side }: EdgesProps) {
  if (edges.length === 0) return null;
  return (
    <Section title={title} note={formatNumber(edges.length)}>
      <ul className="grid gap-1">
        {edges.map((edge) => {
          const id = side === "source" ? edge.source_agent_id : edge.target_agent_id;
          const profile = side === "source" ? edge.source_profile_name : edge.target_profile_name;
          if (id === undefined)
            return (
              <li key={edge.edge_id} className="text-ink-3">
                {actionWords[edge.action]} by an unknown author
              </li>
            );
          return (
            <li key={edge.edge_id}>
              <Link href={`${base}/agents/${id}`} title={id} className="flex h-6 items-center gap-2 hover:bg-raise">
                <Face agentId={id} profile={profile} size={16} />
                <span className="truncate">
                  {isPerson({ agent_id: id }) ? personName(id) : (profile ?? agentName({ agent_id: id }))}
                </span>
                <span className="mono flex-none text-ink-3">{isPerson({ agent_id: id }) ? null : tailOf(id)}</span>
                <span className="flex-1" />
                <span className="flex-none text-ink-3">
                  {isPerson({ agent_id: id }) && side === "source" && edge.source_agent_id === edge.target_agent_id
                    ? "itself"
                    : actionWords[edge.action]}
                </span>
              </Link>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
