// A doorbell inside one process, for tests and scripts; `isMuted` loses every ring on purpose.
import type { Doorbell, Ring } from "@/server/kernel/kernel";

export function createMemoryDoorbell(options: { isMuted?: boolean } = {}): Doorbell & { readonly rung: Ring[] } {
  const handlers = new Set<(ring: Ring) => void>();
  const rung: Ring[] = [];
  return {
    kind: "memory",
    rung,
    isConnected: () => true,
    ring: async (rings) => {
      rung.push(...rings);
      if (!options.isMuted) for (const ring of rings) for (const handler of handlers) handler(ring);
    },
    listen: async (handler) => {
      handlers.add(handler);
      return async () => {
        handlers.delete(handler);
      };
    },
    close: async () => handlers.clear(),
  };
}
