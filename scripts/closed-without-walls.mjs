// The web server listens before Next has called instrumentation.ts. What came in between was answered without the headers
// of server/access/walls.ts, and by an address the caller had written himself; it is cut as if nobody listened yet.
import diagnostics from "node:diagnostics_channel";

diagnostics.subscribe("http.server.request.start", ({ socket }) => {
  if (globalThis.switchyardHasWalls !== true) socket.destroy();
});
