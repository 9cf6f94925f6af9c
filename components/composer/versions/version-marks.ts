// How what differs is marked: by shapes, not by hue alone. Pure.
export const markOf = { added: "added", changed: "redacted", removed: "withheld" } as const;
