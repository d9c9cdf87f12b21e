import { z } from 'zod';

/** What a tool of an MCP server is taken for: `read` runs without asking, `write` asks, `send` always asks. */
export const ToolClass = z.enum(['read', 'write', 'send']);
export type ToolClass = z.infer<typeof ToolClass>;
