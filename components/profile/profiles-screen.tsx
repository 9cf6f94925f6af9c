"use client";

import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { parseAsString, useQueryStates } from "nuqs";
import { useState } from "react";
// All profiles of a project by name: who takes their turns, what model they name, how many agents run on them.
import { countedNumber } from "@/components/domain/counted";
import { ListFrame } from "@/components/domain/list-frame";
import { useLive } from "@/components/domain/use-live";
import { useUnserved } from "@/components/domain/use-unserved";
import { useTRPC } from "@/components/trpc/client";
import { patient } from "@/components/trpc/patient";
import { AgentMark } from "@/components/ui/agent-mark";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { formatCount, formatNumber } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import type { ListColumn } from "@/components/ui/list-rows";
import { SearchInput } from "@/components/ui/text-input";
import { Ago } from "@/components/ui/time";
import { useIsSettled } from "@/components/ui/use-is-settled";
import type { ProfileLine } from "@/server/contract/profile";
import { DropSign } from "./drop-sign";
import { ProfileDialog } from "./profile-dialog";
import { type Brought, readProfileFiles } from "./profile-file";
import { profileTemplate } from "./profile-template";
import { filterProfiles, modelWords } from "./profile-words";
import { Served } from "./served";
import { useFileDrop } from "./use-file-drop";
import "./profile.css";

const params = {
  q: parseAsString.withDefault(""),
  new: parseAsString,
  upload: parseAsString,
  import: parseAsString,
  launch: parseAsString,
};
const columns: readonly ListColumn[] = [
  { width: "20px" },
  { name: "Profile", width: "minmax(0,1.2fr)" },
  { name: "Worker target", width: "minmax(0,1.1fr)" },
  { name: "Tags", width: "minmax(0,1fr)" },
  { name: "Model", width: "minmax(0,1fr)" },
  { name: "Agents", width: "64px", isRight: true },
  { name: "Saved", width: "92px", isRight: true },
];

export function ProfilesScreen({ projectId }: { projectId: string }) {
  const trpc = useTRPC();
  const router = useRouter();
  const [{ q, new: isNew, upload, import: importing, launch }, setParams] = useQueryStates(params);
  const [brought, setBrought] = useState<readonly Brought[]>([]);
  const list = useQuery(trpc.profile.lines.queryOptions({ project_id: projectId }, patient));
  const isMissing = useUnserved(projectId, list.data?.items ?? []);
  useLive({
    projectId,
    cursor: list.data?.live_cursor,
    isMine: (frame) => frame.kind === "profile" || frame.kind === "agent",
    read: async () => (await list.refetch()).data?.live_cursor,
  });
  const isSettled = useIsSettled();
  const base = `/p/${encodeURIComponent(projectId)}/profiles`;
  const profiles = list.data?.items;
  const shown = profiles === undefined ? [] : filterProfiles(profiles, q);
  const isOpen = isNew !== null || upload !== null;
  // The import panel and the launch dialog bring dialogs of their own; what is dropped on those is not for here.
  const isOver = useFileDrop(!isOpen && importing === null && launch === null, (files) => {
    void readProfileFiles(files).then((read) => {
      setBrought(read);
      void setParams({ upload: "1" }, { history: "push" });
    });
  });
  const actions = (
    <>
      <Button icon="plus" onClick={() => void setParams({ new: "1" }, { history: "push" })}>
        New profile
      </Button>
      <Button icon="upload" onClick={() => void setParams({ upload: "1" }, { history: "push" })}>
        From a file
      </Button>
    </>
  );

  return (
    <>
      <ListFrame
        title="Profiles"
        what="list of profiles"
        one="profile"
        columns={columns}
        rowHeight={36}
        items={profiles && shown}
        query={list}
        none={
          profiles?.length === 0 ? (
            <EmptyState
              size="page"
              title="No profiles yet"
              cause="A profile defines an agent: its worker target, prompt, model, and whom it may call. Start from a template, or drop a YAML file here."
              remedy={actions}
            />
          ) : (
            <EmptyState
              title="No matching profiles"
              cause="All words must occur in the name, description, tags, worker target or model."
              remedy={<Button onClick={() => void setParams({ q: null })}>Clear the filter</Button>}
            />
          )
        }
        filters={
          <>
            <SearchInput
              label="Name, tag, target, model"
              className="w-64 max-sm:w-full"
              value={q}
              maxLength={200}
              onChange={(next) => void setParams({ q: next === "" ? null : next })}
            />
            {profiles === undefined || profiles.length === 0 ? null : (
              <span className="text-ink-3">
                {shown.length === profiles.length
                  ? formatCount(profiles.length, "profile")
                  : `${formatNumber(shown.length)} of ${formatCount(profiles.length, "profile")}`}
              </span>
            )}
            <span className="flex-1" />
            {actions}
          </>
        }
      >
        {(items) => (
          <>
            {items.map((profile) => (
              <Row
                key={profile.name}
                href={`${base}/${encodeURIComponent(profile.name)}`}
                profile={profile}
                isMissing={isMissing(profile)}
              />
            ))}
          </>
        )}
      </ListFrame>
      <DropSign isShown={isOver} />
      {isOpen && isSettled ? (
        <ProfileDialog
          projectId={projectId}
          edited={null}
          start={upload === null ? profileTemplate : ""}
          brought={brought}
          isUpload={upload !== null && brought.length === 0}
          onSaved={(profile) => router.replace(`${base}/${encodeURIComponent(profile.name)}`)}
          onClose={() => {
            setBrought([]);
            void setParams({ new: null, upload: null });
          }}
        />
      ) : null}
    </>
  );
}

type RowProps = { href: string; profile: ProfileLine; isMissing: boolean | undefined };

function Row({ href, profile, isMissing }: RowProps) {
  const model = modelWords(profile);
  return (
    <Link data-row href={href} className="list-row">
      <AgentMark agentId={profile.name} profile={profile.name} />
      <b dir="auto" className="truncate" title={profile.description}>
        {profile.name}
      </b>
      <Served profile={profile} isMissing={isMissing} />
      <span className="truncate text-ink-2 max-sm:hidden" title={profile.tags.join(", ")}>
        {profile.tags.join(", ")}
      </span>
      <span className="truncate text-ink-2 max-sm:hidden" title={model}>
        {model || <span className="text-ink-3">none named</span>}
      </span>
      <span className="text-right max-sm:ml-auto">
        {countedNumber(profile.agent_count)}
        <span className="sm:sr-only"> {profile.agent_count === 1 ? "agent" : "agents"}</span>
      </span>
      <span className="text-right text-ink-3">
        <Ago at={profile.updated_at} />
      </span>
    </Link>
  );
}
