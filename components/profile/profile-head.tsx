"use client";

// The head of a profile: who it is, who takes its turns, what one can do with it, and what the loader did not understand.
import { usePathname } from "next/navigation";
import { AgentMark } from "@/components/ui/agent-mark";
import { Button } from "@/components/ui/button";
import { Chip } from "@/components/ui/chip";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { Ago } from "@/components/ui/time";
import type { ProfileSheet } from "@/server/contract/profile";
import { Served } from "./served";

export type ProfileHeadProps = {
  profile: ProfileSheet;
  /** No worker takes its turns. */
  isMissing: boolean | undefined;
  onEdit: () => void;
  onDelete: () => void;
};

export function ProfileHead({ profile, isMissing, onEdit, onDelete }: ProfileHeadProps) {
  const pathname = usePathname();
  return (
    <header className="flex-none">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3">
        <AgentMark agentId={profile.name} profile={profile.name} size={28} />
        <div className="min-w-0 max-sm:flex-1">
          <h1 className="truncate text-h1">{profile.name}</h1>
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-ink-2">
            <Served profile={profile} isMissing={isMissing} />
            {profile.tags.map((tag) => (
              <Chip key={tag}>{tag}</Chip>
            ))}
            <span className="text-ink-3">
              version {profile.rev}, saved <Ago at={profile.updated_at} />
            </span>
          </div>
        </div>
        <span className="flex-1 max-sm:hidden" />
        <div className="flex flex-wrap items-center gap-1.5 max-sm:w-full">
          <Link className="btn" href={`${pathname}?launch=1&target=${encodeURIComponent(`new:${profile.name}`)}`}>
            <Icon name="launch" size={15} />
            Launch
          </Link>
          <Button icon="text" onClick={onEdit}>
            Edit
          </Button>
          <Button icon="trash" variant="danger" onClick={onDelete}>
            Delete
          </Button>
        </div>
        {profile.description === undefined || profile.description === "" ? null : (
          <div className="w-full">
            <p dir="auto" className="max-w-[90ch] text-ink-2">
              {profile.description}
            </p>
          </div>
        )}
      </div>
      {profile.warnings.length === 0 ? null : (
        <ul aria-label="Warnings" className="border-line border-t bg-wash-warn px-4 py-1.5">
          {profile.warnings.map((warning) => (
            <li key={warning} className="flex items-start gap-2 py-0.5">
              <Icon name="warn" size={14} className="mt-0.5 flex-none text-st-partial" />
              <span className="min-w-0 break-words">{warning}</span>
            </li>
          ))}
        </ul>
      )}
    </header>
  );
}
