import { z } from 'zod';

/** The class of an MCP server's tool: `read` runs without asking, `write` asks, `send` always asks. */
export const ToolClass = z.enum(['read', 'write', 'send']);
export type ToolClass = z.infer<typeof ToolClass>;
