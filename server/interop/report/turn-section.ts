// One turn of a report: what it was given, what it wrote, what it delivered.
import type { TurnLine } from "@/server/contract/bundle/lines";
import type { CardLine } from "@/server/contract/bundle/store-lines";
import { anchorOf, escaped, readable } from "./escape";
import type { RunIndex } from "./run-index";

/** How much more the page may hold, which cards it has, and what did not fit. */
export type Room = {
  left: number;
  written: Set<string>;
  cardsLeftOut: number;
  turnsLeftOut: number;
  plansLeftOut: number;
};

const indent = (depth: number): string => `d${Math.min(depth, 6)}`;
const statusOf = (turn: TurnLine): string => `<span class="status ${turn.status}">${turn.status}</span>`;
const nameOf = (turn: TurnLine): string =>
  `<span class="code">${escaped(turn.headcode)}</span> <span dir="auto">${escaped(turn.title)}</span>`;

/** A person's profile has a name of ours that says nothing to a reader. */
const whoOf = ({ profile_name }: TurnLine): string => (profile_name === "sys.human" ? "person" : profile_name);

export const treeLine = (turn: TurnLine, depth: number): string =>
  `<li class="${indent(depth)}"><a href="#${anchorOf("turn", turn.agent_turn_id)}">${nameOf(turn)}</a> <span class="dim">${escaped(whoOf(turn))}</span> ${statusOf(turn)}</li>\n`;

export async function* turnSection(index: RunIndex, turn: TurnLine, depth: number, room: Room): AsyncGenerator<string> {
  const take = (text: string): string => {
    room.left -= Buffer.byteLength(text);
    return text;
  };
  yield take(
    `<details class="turn ${indent(depth)}" id="${anchorOf("turn", turn.agent_turn_id)}"><summary>${nameOf(turn)} <span class="dim">${escaped(whoOf(turn))}</span> ${statusOf(turn)}</summary><div>${facts(turn)}`,
  );
  const context = index.boxes.get(turn.context_box_id) ?? [];
  const start = turn.output_start ?? 0;
  const output = (index.boxes.get(turn.output_box_id ?? "") ?? []).slice(start, start + turn.output_cards);
  yield* section("Context", context, index, room, take);
  yield* section("Output", output, index, room, take);
  if (turn.deliverable_card_id !== null) yield* section("Deliverable", [turn.deliverable_card_id], index, room, take);
  yield take("</div></details>\n");
}

function facts(turn: TurnLine): string {
  const said = [
    `${turn.step_count} steps`,
    `${turn.tokens_in} tokens in, ${turn.tokens_out} out`,
    turn.started_at ? `began ${readable(turn.started_at)}` : "",
    turn.ended_at ? `ended ${readable(turn.ended_at)}` : "not ended",
    turn.error_code ? `error ${turn.error_code}` : "",
  ];
  const error = turn.error === null ? "" : `<p class="failed" dir="auto">${escaped(turn.error)}</p>`;
  return `<p class="dim">${escaped(said.filter(Boolean).join(", "))}</p>${error}`;
}

async function* section(
  title: string,
  ids: readonly string[],
  index: RunIndex,
  room: Room,
  take: (text: string) => string,
): AsyncGenerator<string> {
  yield take(
    `<details${title === "Deliverable" ? " open" : ""}><summary>${title}, ${ids.length} ${ids.length === 1 ? "card" : "cards"}</summary><div>`,
  );
  for (const card_id of ids) {
    const anchor = anchorOf("card", card_id);
    if (room.written.has(card_id)) {
      yield take(`<p class="card"><a href="#${anchor}">Card ${escaped(card_id)}</a>, written above</p>`);
      continue;
    }
    const card = await index.cardOf(card_id);
    if (card === null) continue;
    const text = `<p class="card" id="${anchor}">${escaped(card.metadata.type)} <span class="dim">${escaped(card.metadata.role)}, ${card.token_count} tokens</span></p><pre dir="auto">${escaped(textOf(card))}</pre>`;
    if (Buffer.byteLength(text) > room.left) {
      room.cardsLeftOut++;
      continue;
    }
    room.written.add(card_id);
    yield take(text);
  }
  yield take("</div></details>");
}

function textOf({ content, gone, tool_calls }: CardLine): string {
  if (content === null) return `[content ${gone}]`;
  const own =
    content.kind === "text" ? content.text : JSON.stringify(content.kind === "json" ? content.data : content, null, 2);
  return tool_calls === null ? own : `${own}\n${JSON.stringify(tool_calls, null, 2)}`;
}
