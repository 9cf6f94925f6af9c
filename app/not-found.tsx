import { DeadEnd } from "@/components/shell/dead-end";
import { Link } from "@/components/ui/link";

export default function NotFound() {
  return (
    <DeadEnd title="Page not found" cause="The link may be wrong, or what it pointed to was deleted.">
      <Link href="/" className="btn">
        All projects
      </Link>
    </DeadEnd>
  );
}
