import Link from "next/link";
import { DeadEnd } from "@/components/shell/dead-end";

export default function NotFound() {
  return (
    <DeadEnd title="Page not found" cause="The link may be wrong, or what it pointed to was deleted.">
      <Link href="/" className="btn">
        All projects
      </Link>
    </DeadEnd>
  );
}
