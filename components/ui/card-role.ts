// The roles that a card may have for a model.
export type CardRole = "system" | "user" | "assistant" | "tool";

export const cardRoles: CardRole[] = ["system", "user", "assistant", "tool"];
