import Link from "next/link";

export function AllBatches({ projectId }: { projectId: string }) {
  return (
    <Link className="btn" href={`/p/${encodeURIComponent(projectId)}/batches`}>
      All batches
    </Link>
  );
}
