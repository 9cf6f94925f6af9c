"use client";

// A card as a waybill: what it is, where it comes from, when it was loaded, what it weighs, what it answers, its digest.
import type { ReactNode } from "react";
import { CopyButton } from "@/components/ui/copy-button";
import { formatNumber } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { IconButton } from "@/components/ui/icon-button";
import { Link } from "@/components/ui/link";
import { Plate } from "@/components/ui/plate";
import { RoleTag } from "@/components/ui/role-tag";
import { Skeleton } from "@/components/ui/skeleton";
import { Clock } from "@/components/ui/time";
import { useLaunchWith } from "@/components/ui/use-launch-with";
import type { CardLine, CardMark, CardSheet } from "@/server/contract/line";
import { shortId } from "./lineage";

export type WaybillProps = {
  projectId: string;
  /** What the list knows already; the rest comes with `sheet`. */
  line: CardLine;
  sheet: CardSheet | undefined;
  /** "4 of 9", or in how many boxes it lies. */
  place: { name: string; value: ReactNode };
  marks: readonly CardMark[];
  /** Whether its id leads to its own page; not so on that page. */
  isLinked: boolean;
  /** What else can be done with it. */
  action?: ReactNode;
  children: ReactNode;
};

export function Waybill({ projectId, line, sheet, place, marks, isLinked, action, children }: WaybillProps) {
  const base = `/p/${encodeURIComponent(projectId)}`;
  const launchWith = useLaunchWith();
  const hash = sheet?.content_hash;
  return (
    <article className="waybill card-sheet" aria-label={`Card ${line.type}`}>
      <header className="flex h-[42px] flex-none items-center gap-2 pr-6 pl-3.5">
        <RoleTag cardRole={line.role} />
        <h2 className="mono flex-none font-semibold text-[13px]">{line.type}</h2>
        {/* On a phone two letters would be left of it. */}
        <span className="min-w-0 truncate text-ink-2 max-sm:hidden">{sheet && toolOf(sheet)}</span>
        <span className="flex-1" />
        {isLinked ? (
          <Link
            href={`${base}/cards/${line.card_id}`}
            title={`${line.card_id}: open the card by itself`}
            className="mono flex-none text-ink-3 hover:text-ink"
          >
            {shortId(line.card_id)}
          </Link>
        ) : null}
        <IconButton
          icon="launch"
          label="Use this card in a launch"
          size="sm"
          iconSize={14}
          onClick={() => launchWith({ cards: [line.card_id] })}
        />
        <CopyButton text={line.card_id} label="Copy the card id" size="sm" />
        {action}
      </header>
      <dl className="card-fields">
        <Field name="From" title={line.author_id}>
          {sheet === undefined ? (
            <FieldSkeleton />
          ) : sheet.written_by === undefined ? (
            line.author_id || "an unknown author"
          ) : (
            <Link
              href={`${base}?run=${sheet.written_by.root_turn_id}&turn=${sheet.written_by.agent_turn_id}`}
              className="hover:underline"
            >
              {sheet.written_by.profile_name.replace(/^import:/, "")}
              <Plate code={sheet.written_by.headcode} className="ml-1.5" />
            </Link>
          )}
        </Field>
        <Field name="Created">
          <Clock at={line.created_at} />
        </Field>
        <Field name={place.name}>{place.value}</Field>
        <Field name="Size">
          <b className="font-[650]">{formatNumber(line.token_count)}</b> tok
        </Field>
        <Field name={line.type === "tool.call" ? "Answered by" : "Answers"}>
          {sheet === undefined ? (
            <FieldSkeleton />
          ) : sheet.answers === undefined ? (
            <span className="text-ink-3">{line.type === "tool.call" ? "no result yet" : "no tool call"}</span>
          ) : (
            <Link
              href={`${base}/cards/${sheet.answers.card_id}`}
              className="mono hover:underline"
              title={`${sheet.answers.type} ${sheet.answers.card_id}`}
            >
              {shortId(sheet.answers.card_id)}
            </Link>
          )}
        </Field>
        <Field name="Digest" title={hash === undefined ? undefined : `sha256 ${hash}`}>
          {hash === undefined ? (
            <FieldSkeleton />
          ) : (
            <span className="mono">{`${hash.slice(0, 4)}…${hash.slice(-4)}`}</span>
          )}
        </Field>
      </dl>
      {marks.map((mark) => (
        <Mistake key={mark.agent_turn_id} mark={mark} />
      ))}
      <div className="card-read">{children}</div>
    </article>
  );
}

function Field({ name, title, children }: { name: string; title?: string; children: ReactNode }) {
  return (
    <div title={title}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** As high as the words that come. */
function FieldSkeleton() {
  return (
    <span className="flex h-[1lh] items-center">
      <Skeleton className="h-2.5 w-16" />
    </span>
  );
}

function Mistake({ mark }: { mark: CardMark }) {
  return (
    <p className="flex flex-none items-start gap-2 border-line border-b bg-wash-warn px-3.5 py-2">
      <Icon name="warn" size={15} className="mt-px text-st-partial" />
      <span>
        <b>The imported log marks this step as the mistake</b>
        {mark.reason === "" ? (
          "."
        ) : (
          <span dir="auto" className="text-ink-2">
            : {mark.reason}
          </span>
        )}
      </span>
    </p>
  );
}

function toolOf(sheet: CardSheet): string | undefined {
  if (sheet.content?.kind === "tool_call") return sheet.content.tool_name;
  const name = sheet.metadata.tool_name;
  return typeof name === "string" ? name : undefined;
}
