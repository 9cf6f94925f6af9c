"use client";

import { useMemo } from "react";
import { AppShell } from "@/components/shell/app-shell";
import { ConnectionBanner } from "@/components/shell/connection-banner";
import { AgentMark } from "@/components/ui/agent-mark";
import { Aspect } from "@/components/ui/aspect";
import { BoxId } from "@/components/ui/box-id";
import { type CommandSource, useCommands } from "@/components/ui/commands";
import { Consist } from "@/components/ui/consist";
import { EmptyState } from "@/components/ui/empty-state";
import { FactLines } from "@/components/ui/facts";
import { Icon } from "@/components/ui/icon";
import { Plate } from "@/components/ui/plate";
import { RoleTag } from "@/components/ui/role-tag";

const load = [
  { role: "system", tokens: 2014 },
  { role: "user", tokens: 5100 },
  { role: "assistant", tokens: 1400 },
  { role: "tool", tokens: 3300 },
] as const;

export default function KitShell() {
  return (
    <AppShell
      project={{ project_id: "demo", title: "grid-storage-brief" }}
      projects={[
        { project_id: "demo", title: "grid-storage-brief" },
        { project_id: "b", title: "Another project" },
      ]}
      crumbs={[
        { label: "Boxes", href: "/p/demo/boxes" },
        { plate: "4E7A", label: "Context box" },
      ]}
      person={{ name: "mara ober" }}
      overlay={
        <ConnectionBanner
          state="stream_cut"
          freshAt="2026-01-05T09:30:00.000Z"
          retryAt={null}
          onRetry={() => undefined}
        />
      }
    >
      <Sources />
      <div className="dotted-ground min-h-0 flex-1">
        <EmptyState
          size="page"
          title="The yard is empty"
          mark={<Aspect status="queued" size={17} label={null} />}
          cause="No worker is taking turns for any profile yet."
        />
      </div>
    </AppShell>
  );
}

function Sources() {
  const turns = useMemo<CommandSource>(
    () => ({
      id: "kit-turns",
      group: "turns",
      items: [
        {
          id: "t5",
          plate: "2S05",
          label: "Hydrogen",
          detail: "Associate_Search, failed with tool_timeout",
          trailing: "2m 40s",
          icon: <Aspect status="failed" size={16} />,
          href: "/kit/shell?turn=t5",
          actionLabel: "Open turn",
          preview: (
            <>
              <div className="flex items-center gap-2">
                <Plate code="2S05" size="lg" tone="ink" />
                <div>
                  <b className="text-row">Hydrogen</b>
                  <span className="flex items-center gap-1 text-ink-3">
                    <AgentMark agentId="as-0f3a" profile="as" size={14} />
                    as-0f3a
                  </span>
                </div>
              </div>
              <div className="flex items-center gap-1.5">
                <Aspect status="failed" size={15} label={null} />
                <b>Failed</b>
                <span className="text-ink-2">at 14:31:38</span>
              </div>
              <p className="mono text-st-failed leading-4">
                tool_timeout: fetch_url, 3 of 3 tries, electrolyser cost report
              </p>
              <Consist cards={load} window={32000} height={8} />
              <FactLines
                facts={[
                  { name: "Called by", value: "1P01, task 5 of B1" },
                  { name: "Given", value: "9 cards, 7,433" },
                  { name: "Peak", value: "11,624, 36 %" },
                  { name: "Cost", value: "$0.047" },
                ]}
              />
            </>
          ),
        },
        {
          id: "t4",
          plate: "2S04",
          label: "Thermal",
          detail: "Associate_Search",
          trailing: "3m 11s",
          icon: <Aspect status="running" size={16} />,
          href: "/kit/shell?turn=t4",
        },
      ],
    }),
    [],
  );
  const show = useMemo<CommandSource>(
    () => ({
      id: "kit-show",
      group: "show",
      items: [
        {
          id: "f",
          label: "status:failed",
          isMono: true,
          detail: "1 of 7 turns",
          icon: <Icon name="filter" />,
          href: "/kit/shell?status=failed",
        },
      ],
    }),
    [],
  );
  const cards = useMemo<CommandSource>(
    () => ({
      id: "kit-cards",
      group: "cards",
      search: async (words) => {
        await new Promise((resolve) => setTimeout(resolve, 200));
        if (words === "error") throw new Error("the database does not answer");
        return words === ""
          ? []
          : [
              {
                id: "c1",
                label: "tool.result",
                isMono: true,
                detail: `“…download ${words}ed after 60 s…”`,
                icon: <RoleTag cardRole="tool" />,
                trailing: <BoxId code="D2B6" />,
                href: "/kit/shell?card=c1",
              },
            ];
      },
    }),
    [],
  );
  useCommands(turns);
  useCommands(show);
  useCommands(cards);
  return null;
}
