// A span of its own in a trace that is given: the tail of an id. The views say the same of a branch and of a turn's message.

export const traceparentOf = (trace_id: string, id: string): string => `00-${trace_id}-${id.slice(-16)}-01`;
