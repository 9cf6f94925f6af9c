"use client";

// One profile: its head, its YAML, and beside it whom it may call and who runs on it.
import { useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { parseAsString, useQueryState } from "nuqs";
import { useRef, useState } from "react";
import { Failure } from "@/components/domain/failure";
import { useLive } from "@/components/domain/use-live";
import { useUnserved } from "@/components/domain/use-unserved";
import { useTRPC } from "@/components/trpc/client";
import { failureKind, patient } from "@/components/trpc/patient";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { SkeletonRows } from "@/components/ui/skeleton";
import { useTabTitle } from "@/components/ui/tab-title";
import { TextView } from "@/components/ui/text-view";
import { useIsSettled } from "@/components/ui/use-is-settled";
import { DeleteProfile } from "./delete-profile";
import { ProfileDialog } from "./profile-dialog";
import { ProfileFacts } from "./profile-facts";
import { ProfileHead } from "./profile-head";
import "@/components/domain/text-sheet.css";
import "./profile.css";

export function ProfileScreen({ projectId, name }: { projectId: string; name: string }) {
  const trpc = useTRPC();
  const router = useRouter();
  const sheet = useQuery(trpc.profile.sheet.queryOptions({ project_id: projectId, name }, patient));
  const isMissing = useUnserved(projectId, sheet.data === undefined ? [] : [sheet.data]);
  const [edit, setEdit] = useQueryState("edit", parseAsString);
  const [isDeleting, setIsDeleting] = useState(false);
  const isLeaving = useRef(false);
  const isSettled = useIsSettled();
  const profile = sheet.data;
  useTabTitle(profile?.name ?? name, "Profile");
  useLive({
    projectId,
    cursor: profile?.live_cursor,
    isMine: (frame) =>
      (frame.kind === "profile" && frame.name === profile?.name) ||
      (frame.kind === "agent" && frame.profile_name === profile?.name),
    // Deleted here, its frame may come before the answer does; asking for it again would only be refused.
    read: async () => (isLeaving.current ? undefined : (await sheet.refetch()).data?.live_cursor),
  });
  const all = `/p/${encodeURIComponent(projectId)}/profiles`;
  const isGone = sheet.error !== null && failureKind(sheet.error) === "missing";
  // With the dialog open the page stays, and with it what is being typed.
  if (profile !== undefined && isGone && edit === null)
    return (
      <EmptyState
        size="page"
        title={`${profile.name} was deleted`}
        cause="Someone deleted this profile while you had it open. Its agents keep it and can continue."
        remedy={
          <Link className="btn" href={all}>
            All profiles
          </Link>
        }
      />
    );
  if (sheet.error && profile === undefined)
    return (
      <Failure
        error={sheet.error}
        what="profile"
        name={name}
        onRetry={sheet.refetch}
        way={
          <Link className="btn" href={all}>
            All profiles
          </Link>
        }
      />
    );
  if (profile === undefined) return <ProfileSkeleton />;
  return (
    <div className="@container flex min-h-0 min-w-0 flex-1 flex-col">
      <ProfileHead
        profile={profile}
        isMissing={isMissing(profile)}
        onEdit={() => void setEdit("1", { history: "push" })}
        onDelete={() => setIsDeleting(true)}
      />
      <div className="sheet-body">
        <div className="sheet-yaml">
          <TextView text={profile.yaml.trimEnd()} language="yaml" label={`YAML of ${profile.name}`} />
        </div>
        <ProfileFacts projectId={projectId} profile={profile} />
      </div>
      {edit !== null && isSettled ? (
        <ProfileDialog
          projectId={projectId}
          edited={{ name: profile.name, rev: profile.rev, isGone }}
          start={profile.yaml}
          onSaved={(saved) => {
            if (saved.name === profile.name) void setEdit(null);
            else router.push(`${all}/${encodeURIComponent(saved.name)}`);
          }}
          onClose={() => void setEdit(null)}
        />
      ) : null}
      {isDeleting ? (
        <DeleteProfile
          profile={profile}
          onAsked={(isAsked) => {
            isLeaving.current = isAsked;
          }}
          onDeleted={() => router.push(all)}
          onClose={() => setIsDeleting(false)}
        />
      ) : null}
    </div>
  );
}

export function ProfileSkeleton() {
  return (
    <div className="flex-1 pt-4">
      <SkeletonRows count={14} rowHeight={24} label="Loading the profile" />
    </div>
  );
}
