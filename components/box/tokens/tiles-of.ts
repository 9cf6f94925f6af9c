// What the treemap draws: the heaviest cards, a tile each, and the others as one tile. A tile of three pixels says nothing.
import { type CardRole, cardRoles } from "@/components/ui/card-role";
import { byWeight } from "../stack";

export type Tile = {
  /** The card; of the others, the heaviest. */
  position: number;
  /** Null: many cards of any role. */
  role: CardRole | null;
  tokens: number;
  cards: number;
};

export const TILES_MAX = 200;

/** Heaviest first, the others at the end. Cards without tokens have no tile. */
export function tilesOf(roles: string, tokens: readonly number[]): Tile[] {
  const places = byWeight(tokens).filter((place) => (tokens[place] ?? 0) > 0);
  const own = places.length > TILES_MAX ? places.slice(0, TILES_MAX - 1) : places;
  const others = places.slice(own.length);
  const tiles = own.map(
    (position): Tile => ({
      position,
      role: roleByLetter.get(roles.charAt(position)) ?? "user",
      tokens: tokens[position] ?? 0,
      cards: 1,
    }),
  );
  const [first] = others;
  if (first === undefined) return tiles;
  const sum = others.reduce((total, place) => total + (tokens[place] ?? 0), 0);
  return [...tiles, { position: first, role: null, tokens: sum, cards: others.length }];
}

const roleByLetter = new Map<string, CardRole>(cardRoles.map((role) => [role.charAt(0).toUpperCase(), role]));
