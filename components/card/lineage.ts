// How a card came to lie where it lies: who wrote it, the boxes it was handed through, what was blacked out, and here.
// Pure; drawn as a line of track with a stop for each.
import { boxPlate } from "@/server/contract/box";
import type { CardPlace, CardSheet } from "@/server/contract/line";

export type Stop = {
  key: string;
  kind: "born" | "box" | "redacted" | "here";
  /** A headcode beside the title. */
  plate?: string;
  title: string;
  /** Ids and box numbers are set in mono. */
  isMono?: boolean;
  detail: string;
  /** Path behind the project's own. */
  path?: string;
};

const hopsMax = 12;

export function lineage(card: CardSheet, places: readonly CardPlace[], boxId: string | null): Stop[] {
  const here = boxId === null ? undefined : places.find((place) => place.box_id === boxId);
  const hops = here === undefined ? [] : hopsTo(here, places);
  return [...birth(card, hops[0] ?? here), ...hops.map(boxStop), ...(here === undefined ? [] : [hereStop(here)])];
}

/** The boxes it was inherited through, the oldest first, without the one it lies in. */
function hopsTo(here: CardPlace, places: readonly CardPlace[]): CardPlace[] {
  const hops: CardPlace[] = [];
  const seen = new Set([here.box_id]);
  let at: CardPlace | undefined = here;
  while (at?.origin.startsWith("box:") && hops.length < hopsMax) {
    const source: string = at.origin.slice(4);
    at = seen.has(source) ? undefined : places.find((place) => place.box_id === source);
    if (at === undefined) break;
    seen.add(source);
    hops.unshift(at);
  }
  return hops;
}

function birth(card: CardSheet, oldest: CardPlace | undefined): Stop[] {
  if (card.redacted_from !== undefined)
    return [
      {
        key: "original",
        kind: "born",
        title: shortId(card.redacted_from),
        isMono: true,
        detail: "the original, with its secrets",
        path: `/cards/${card.redacted_from}`,
      },
      { key: "redacted", kind: "redacted", title: "Redacted at handover", detail: kindsOf(card.metadata.redactions) },
    ];
  const turn = card.written_by;
  if (turn !== undefined)
    return [
      {
        key: "born",
        kind: "born",
        title: turn.is_human ? "put in by the person" : `written by ${turn.profile_name.replace(/^import:/, "")}`,
        plate: turn.headcode,
        detail: turn.title,
        path: `?run=${turn.root_turn_id}&turn=${turn.agent_turn_id}`,
      },
    ];
  return [
    {
      key: "born",
      kind: "born",
      title: bornWords(oldest?.origin),
      detail: `by ${card.author_id || "an unknown author"}`,
    },
  ];
}

function bornWords(origin: string | undefined): string {
  if (origin?.startsWith("arg:")) return `Packed argument ${origin.slice(4)}`;
  if (origin === "pack") return "Context pack, handed over with the task";
  if (origin === "ptr" || origin === "sys") return "Added by Switchyard";
  if (origin === "import") return "Imported";
  return "Created";
}

function boxStop(place: CardPlace): Stop {
  return {
    key: place.box_id,
    kind: "box",
    title: boxPlate(place.box_id),
    isMono: true,
    plate: place.headcode,
    detail: `place ${place.position + 1} of ${place.length}`,
    path: `/boxes/${place.box_id}?card=${place.position + 1}`,
  };
}

const hereStop = (place: CardPlace): Stop => ({ ...boxStop(place), kind: "here", path: undefined });

/** {"bearer": 1, "jwt": 2} */
function kindsOf(redactions: unknown): string {
  if (redactions === null || typeof redactions !== "object") return "secrets blacked out";
  return Object.entries(redactions)
    .map(([kind, count]) => `${kind} ${count}`)
    .join(", ");
}

/** Ids are long; their last eight letters or digits tell two of a project apart. */
export function shortId(id: string): string {
  return id.length <= 12 ? id : `…${id.slice(-8)}`;
}
