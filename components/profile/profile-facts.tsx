// Beside the YAML: whom the profile may call, what it runs on, and the agents that are made of it.
import { countedNumber } from "@/components/domain/counted";
import { AgentMark } from "@/components/ui/agent-mark";
import { BoxId } from "@/components/ui/box-id";
import { FactLines } from "@/components/ui/facts";
import { formatNumber } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { boxPlate } from "@/server/contract/box";
import type { ProfileSheet } from "@/server/contract/profile";
import { modelWords, policyWords, toolWords } from "./profile-words";

export function ProfileFacts({ projectId, profile }: { projectId: string; profile: ProfileSheet }) {
  const base = `/p/${encodeURIComponent(projectId)}`;
  const { agents, agent_count, body } = profile;
  return (
    <aside className="sheet-facts" aria-label="Facts about the profile">
      <Section title="Whom it may call">
        <p className="break-words text-ink-2">{policyWords(body.delegation_policy)}</p>
      </Section>
      <Section title="Runs on">
        <FactLines
          facts={[
            { name: "Model", value: modelWords(body.llm_config) || "none named" },
            ...(body.llm_config.context_window === undefined
              ? []
              : [{ name: "Window", value: `${formatNumber(body.llm_config.context_window)} tokens` }]),
            { name: "Tools", value: toolWords(body.allowed_tools) },
            {
              name: "Box",
              value: (
                <Link href={`${base}/boxes/${profile.profile_box_id}`} className="inline-flex hover:underline">
                  <BoxId code={boxPlate(profile.profile_box_id)} title={profile.profile_box_id} />
                </Link>
              ),
            },
          ]}
        />
      </Section>
      <Section title="Agents" note={countedNumber(agent_count)}>
        {agents.length === 0 ? (
          <p className="text-ink-3">None yet. Launching it creates one.</p>
        ) : (
          <ul>
            {agents.map((agent) => (
              <li key={agent.agent_id}>
                <Link
                  href={`${base}/agents/${encodeURIComponent(agent.agent_id)}`}
                  className="-mx-1 flex h-7 items-center gap-2 rounded-1 px-1 hover:bg-raise"
                >
                  <AgentMark agentId={agent.agent_id} profile={profile.name} size={16} />
                  <span dir="auto" className="min-w-0 flex-1 truncate" title={agent.agent_id}>
                    {agent.display_name ?? agent.agent_id}
                  </span>
                  {agent.is_current ? null : <span className="flex-none text-ink-3">older version</span>}
                  <span className="flex-none text-ink-2">{agent.head_status}</span>
                </Link>
              </li>
            ))}
          </ul>
        )}
        {agents.length < agent_count ? (
          <p className="mt-1 text-ink-3">
            {formatNumber(agents.length)} of {countedNumber(agent_count)}, the newest.
          </p>
        ) : null}
      </Section>
    </aside>
  );
}
