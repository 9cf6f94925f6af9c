"use client";

// The head of a pack: its number, what it is for, whether it can be rebuilt, and what one can do with it.
import { useMutation } from "@tanstack/react-query";
import { agentName, personName } from "@/components/domain/agent-names";
import { useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { formatCount } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { Menu, MenuLink } from "@/components/ui/menu";
import { Plate } from "@/components/ui/plate";
import { Ago } from "@/components/ui/time";
import { useLaunchWith } from "@/components/ui/use-launch-with";
import type { PackRecord } from "@/server/contract/context-pack/record";
import type { Sidecar } from "@/server/contract/context-pack/sidecar";
import { PackSeal } from "./pack-seal";

export type PackHeadProps = { projectId: string; record: PackRecord; sidecar: Sidecar };

export function PackHead({ projectId, record, sidecar }: PackHeadProps) {
  const trpc = useTRPC();
  const verify = useMutation(trpc.context_pack.verify.mutationOptions());
  const launchWith = useLaunchWith();
  const base = `/p/${encodeURIComponent(projectId)}`;
  const api = `/api/v1/projects/${encodeURIComponent(projectId)}`;
  return (
    <header className="cpack-head">
      <Plate code={record.code} tone="ink" size="lg" title={record.sha256} />
      <div className="min-w-0 flex-1 max-sm:w-full max-sm:flex-none">
        <h1 dir="auto" className="truncate text-h1 max-sm:whitespace-normal" title={record.title}>
          {record.title}
        </h1>
        <p className="flex flex-wrap items-center gap-x-1 text-ink-2">
          {record.kind} <Ago at={record.created_at} /> by {agentName({ agent_id: personName(record.created_by) })}, for{" "}
          {record.globalMode}, {formatCount(sidecar.sources.length, "source")}
          {record.root_turn_id === undefined ? null : (
            <Link className="link" href={`${base}?run=${record.root_turn_id}`}>
              see the run
            </Link>
          )}
        </p>
      </div>
      <PackSeal
        sha256={record.sha256}
        verification={verify.data}
        isPending={verify.isPending}
        error={verify.error?.message ?? null}
      />
      <div className="flex items-center gap-1.5">
        <Button
          icon="retry"
          disabled={verify.isPending}
          title="Builds it again from its stored sources and compares the bytes. Nothing is stored."
          onClick={() => verify.mutate({ project_id: projectId, pack: record.sha256 })}
        >
          Rebuild
        </Button>
        <Button icon="launch" aria-label="Use in a launch" onClick={() => launchWith({ pack: record.artifact_ref })}>
          <span className="max-lg:hidden">Use in a launch</span>
        </Button>
        <Menu
          align="end"
          trigger={
            <Button icon="download" aria-label="Download">
              <span className="max-lg:hidden">Download</span>
            </Button>
          }
        >
          <MenuLink>
            <a href={`${api}/artifacts/${record.artifact_ref.slice("artifact://".length)}`} download>
              <Icon name="packs" size={15} />
              The pack, these bytes
            </a>
          </MenuLink>
          <MenuLink>
            <a href={`${api}/context-packs/${record.sha256}/sidecar`} download={`${record.code}.sidecar.json`}>
              <Icon name="text" size={15} />
              Its sidecar
            </a>
          </MenuLink>
        </Menu>
        <CopyButton text={record.sha256} label="Copy the digest of the pack" className="max-sm:hidden" />
      </div>
    </header>
  );
}
