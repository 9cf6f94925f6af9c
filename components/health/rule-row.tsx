// One row of a project that needs a look: the rule, the project, and what its list says of it.
import type { ReactNode } from "react";
import { Link } from "@/components/ui/link";
import type { Check } from "./health-checks";
import { ToneMark } from "./tone-mark";

type RuleRowProps = {
  row: { project_id: string; project_title: string; rule: string };
  tone: Check["tone"];
  /** Behind the project's name. */
  link?: ReactNode;
  when: ReactNode;
  children: ReactNode;
};

export function RuleRow({ row, tone, link, when, children }: RuleRowProps) {
  return (
    <li className="health-row">
      <span className="health-name">
        <ToneMark tone={tone} />
        <span className="mono truncate" title={row.rule}>
          {row.rule}
        </span>
      </span>
      <div className="min-w-0">
        <div className="flex flex-wrap gap-x-3">
          <Link className="font-semibold hover:underline" href={`/p/${encodeURIComponent(row.project_id)}`}>
            {row.project_title}
          </Link>
          {link}
          <span className="flex-1" />
          <span className="text-ink-3">{when}</span>
        </div>
        {children}
      </div>
    </li>
  );
}
