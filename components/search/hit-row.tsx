// One hit as a line that leads to it.
import type { Hit } from "@/components/domain/query-hits";
import { Aspect } from "@/components/ui/aspect";
import { formatNumber } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { Plate } from "@/components/ui/plate";
import { RoleTag } from "@/components/ui/role-tag";
import { Ago } from "@/components/ui/time";

export function HitRow({ hit }: { hit: Hit }) {
  const { href, role, status, plate, name, words, run, weight, created_at } = hit;
  return (
    <Link href={href} prefetch={false} data-row className="search-hit">
      <span className="flex min-w-0 items-center gap-2">
        {role === undefined ? null : <RoleTag cardRole={role} />}
        {status === undefined ? null : <Aspect status={status} size={15} />}
        {plate === undefined ? null : <Plate code={plate} tone="bare" />}
        <span className="mono truncate">{name}</span>
      </span>
      <span dir="auto" className="min-w-0 truncate text-ink-2" title={words}>
        {run === undefined ? null : (
          <span dir="ltr" className="text-ink-3">
            run {formatNumber(run)}{" "}
          </span>
        )}
        {words}
      </span>
      <span className="text-right">
        {weight === undefined ? null : (
          <>
            {formatNumber(weight.tokens)}
            <span className="sr-only"> tokens</span>
          </>
        )}
      </span>
      <span className="text-right text-ink-3 max-sm:hidden">
        <Ago at={created_at} />
      </span>
    </Link>
  );
}
