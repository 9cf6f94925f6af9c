// The test's MCP server as a process of its own: `node --import tsx server/testing/mcp/stdio-server.ts`.
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { testMcpServer } from "./tools";

await testMcpServer().connect(new StdioServerTransport());
