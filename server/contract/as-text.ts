/** Outside data as text: a string as it is, anything else as JSON. `String` throws for `{"toString": 1}`. */
export const asText = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
