"use client";

// Somebody has deleted the project while it was open here.
import { EmptyState } from "@/components/ui/empty-state";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";

export function ProjectGone() {
  return (
    <EmptyState
      size="page"
      title="This project was deleted"
      mark={<Icon name="trash" size={16} className="text-ink-3" />}
      cause="It was deleted here or in another window."
      remedy={
        <Link href="/" className="btn">
          All projects
        </Link>
      }
    />
  );
}
