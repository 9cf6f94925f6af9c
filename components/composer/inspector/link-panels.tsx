"use client";

// A track, a wire or a crate: what it carries, who else gets it, and the way to take it elsewhere or away.
import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/components/trpc/client";
import { Button } from "@/components/ui/button";
import { formatCount, formatNumber } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { Select } from "@/components/ui/select";
import { idsOf, nodeIdOf } from "@/server/contract/plan/plan-words";
import { writtenTracks } from "@/server/contract/plan/tracks";
import { useChecked, useComposer, usePlan } from "../composer-context";
import type { Change } from "../draft/drawing-store";
import { named } from "../draft/edits";
import { fromElsewhere, rewiring, unlinking } from "../draft/relinking";
import { refusedSources } from "../drawing/couplable";
import { carriedBy, type Link as Linked, wireId } from "../drawing/links";
import { cratesOf, plate } from "../drawing/loads";
import { endOp, ends } from "./starts-section";

export function LinkPanel({ link }: { link: Linked }) {
  if (link.kind === "track") return <TrackPanel from={link.from} to={link.to} />;
  return <CratePanel crate={link.crate} to={link.kind === "wire" ? link.to : null} />;
}

function Head({ title, sub }: { title: string; sub: string }) {
  return (
    <header className="border-line border-b px-4 py-3.5">
      <h2 dir="auto" className="truncate text-title">
        {title}
      </h2>
      <p dir="auto" className="truncate text-ink-3">
        {sub}
      </p>
    </header>
  );
}

function TrackPanel({ from, to }: { from: string; to: string }) {
  const plan = usePlan();
  const { store, adding } = useComposer();
  const checks = useChecked(({ places }) => places);
  const index = plan.nodes.findIndex(({ id }) => id === to);
  const node = plan.nodes[index];
  const track = node && writtenTracks(node, index).find((one) => one.from === from);
  if (!node || !track) return null;
  const carried = carriedBy(plan, { from, to });
  const refused = refusedSources(plan, to);
  const others = plan.nodes.filter(
    (other, i) => other.id !== to && writtenTracks(other, i).some((one) => one.from === from),
  );
  const estimate = checks.get(to)?.tokens.estimated;
  return (
    <>
      <Head title={`${named(plan, from)} to ${named(plan, to)}`} sub="a track: it starts after it" />
      <Section title="Starts when">
        <div className="grid grid-cols-2 gap-2">
          <Select
            label="What it waits for"
            value={from}
            options={idsOf(plan)
              .filter((id) => id === from || !refused.has(id))
              .map((id) => ({ value: id, label: named(plan, id) }))}
            onChange={(next) => {
              if (next !== from) store.change(fromElsewhere(plan, { from, to }, next));
            }}
          />
          <Select
            label="On which end"
            value={track.on}
            options={ends}
            onChange={(on) =>
              store.change({
                label: `${named(plan, to)} starts when ${named(plan, from)} has ${on}`,
                ops: [endOp(to, track, on)],
              })
            }
          />
        </div>
      </Section>
      <Section title="What travels on it" note={carried.length === 0 ? "order only" : undefined}>
        <ul>
          {carried.map((row) => (
            <li key={`${row.owner} ${row.index}`} className="flex min-h-7 items-center gap-2">
              <span dir="auto" className="min-w-0 flex-1 truncate">
                {row.words}
                {row.owner === to ? "" : `, for ${named(plan, row.owner)}`}
              </span>
            </li>
          ))}
        </ul>
        {estimate ? (
          <p className="mt-1 text-ink-3 text-note">
            All results that {named(plan, to)} waits for: about {formatNumber(estimate.likely)} tokens,{" "}
            {formatNumber(estimate.low)} to {formatNumber(estimate.high)}.
          </p>
        ) : null}
      </Section>
      <Section title="Who else gets it" note={others.length === 0 ? "nobody" : undefined}>
        <Places places={others.map(({ id }) => id)} />
      </Section>
      <Section>
        <div className="flex gap-2">
          <Button keys="n" icon="plus" onClick={() => adding.set({ as: "splice", place: to, track: { from, to } })}>
            Add between
          </Button>
          <TakeAway change={unlinking(plan, { kind: "track", from, to })} />
        </div>
      </Section>
    </>
  );
}

function CratePanel({ crate: id, to }: { crate: string; to: string | null }) {
  const plan = usePlan();
  const { projectId, store, edit } = useComposer();
  const crate = cratesOf(plan).find((one) => one.id === id);
  if (!crate) return null;
  const { kind, ref, readers } = crate;
  const input = plan.inputs.find(({ name }) => kind === "input" && name === ref);
  const base = `/p/${encodeURIComponent(projectId)}`;
  return (
    <>
      <Head
        title={kind === "input" ? `Input ${ref}` : `${kind === "box" ? "Box" : "Card"} ${plate(ref)}`}
        sub={to === null ? `loaded by ${formatCount(readers.length, "place")}` : `loaded by ${named(plan, to)}`}
      />
      {input ? (
        <Section>
          <p>
            {input.kind === "text" ? "A text" : `A ${input.kind}`}, {input.required ? "required" : "optional"}.{" "}
            {input.default === undefined ? "No default." : `Default: ${input.default}`}
          </p>
          <Button className="mt-2" onClick={() => edit("inputs")}>
            All inputs
          </Button>
        </Section>
      ) : (
        <Section>
          <Link className="btn" href={`${base}/${kind === "box" ? "boxes" : "cards"}/${encodeURIComponent(ref)}`}>
            Read the {kind}
          </Link>
          {kind === "card" ? <Sightings card={ref} /> : null}
        </Section>
      )}
      <Section title="Who loads it">
        <Places places={readers} idOf={(place) => wireId(id, place)} />
      </Section>
      {to === null ? null : (
        <Section title="Loaded by another">
          <Select
            label="Who loads it instead"
            value={to}
            options={idsOf(plan)
              .filter((place) => place === to || !readers.includes(place))
              .map((place) => ({ value: place, label: named(plan, place) }))}
            onChange={(next) => {
              if (next !== to) store.change(rewiring(plan, { crate: id, to }, next));
            }}
          />
        </Section>
      )}
      <Section>
        <TakeAway
          change={unlinking(plan, to === null ? { kind: "crate", crate: id } : { kind: "wire", crate: id, to })}
        />
      </Section>
    </>
  );
}

/** Who saw it before. */
function Sightings({ card }: { card: string }) {
  const trpc = useTRPC();
  const { projectId } = useComposer();
  const { data } = useQuery(trpc.card.sightings.queryOptions({ project_id: projectId, card_id: card }));
  if (!data) return null;
  return (
    <p className="mt-2 text-ink-3">
      {data.turn_count === 0 ? "No turn has seen it yet." : `${formatCount(data.turn_count, "turn")} saw it before.`}
    </p>
  );
}

function Places({ places, idOf = (place) => place }: { places: readonly string[]; idOf?: (place: string) => string }) {
  const plan = usePlan();
  const { store } = useComposer();
  return (
    <ul>
      {places.map((place) => (
        <li key={place} className="min-h-7">
          <button
            type="button"
            dir="auto"
            className="block max-w-full truncate text-left hover:underline"
            onClick={() => store.select([idOf(place)])}
          >
            {named(plan, place)}
            {nodeIdOf(place) === place ? "" : `, a task of ${named(plan, nodeIdOf(place))}`}
          </button>
        </li>
      ))}
    </ul>
  );
}

function TakeAway({ change }: { change: Change }) {
  const { store } = useComposer();
  return (
    <Button variant="danger" keys="mod+backspace" onClick={() => store.change(change)}>
      Delete
    </Button>
  );
}
