import Link from "next/link";
import { DeadEnd } from "@/components/shell/dead-end";

export default function NotFound() {
  return (
    <DeadEnd
      title="This track ends here"
      cause="Nothing is at this address, or it belongs to a project that is not open to you."
    >
      <Link href="/" className="btn">
        All projects
      </Link>
    </DeadEnd>
  );
}
