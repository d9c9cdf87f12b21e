import type { ResultPart } from '../../src-preload/contract/content-blocks.ts';
import { isRecord } from '../base/json.ts';
import type { AssessedCall, Tool, ToolContext, ToolInput, ToolResult } from '../tools/contract.ts';
import { type CallPart, type CallResult, resultText } from './call-result.ts';
import type { McpConnection } from './connection.ts';
import type { ServerTool } from './tool-list.ts';

/** What the policy is told of calls of a server's tools. */
export interface McpToolPolicy {
  /** The class shown in lists. */
  readonly accessClass: (server: string, tool: ServerTool) => Tool['access'];
  /** What one exact call would touch. */
  readonly accessOf: (server: string, tool: ServerTool, input: ToolInput) => AssessedCall['access'];
}

/**
 * A server's tool for the registry: `{server}__{tool}`. Its description and schema are the server's, word for word; what a call may
 * do is not the server's to say. Source: tool catalogue C.3 to C.5.
 */
export function mcpTool(
  connection: Pick<McpConnection, 'name' | 'call'>,
  tool: ServerTool,
  { accessClass, accessOf }: McpToolPolicy,
): Tool {
  const { name: server } = connection;
  const { properties } = tool.inputSchema;
  const access = accessClass(server, tool);
  return {
    name: `${server}__${tool.name}`,
    description: tool.description.trim() === '' ? `MCP tool ${tool.name} from ${server}` : tool.description,
    access,
    inputSchema: tool.inputSchema,
    parameterAliases: {},
    nameAliases: [`${server}:${tool.name}`],
    errorPrefix: 'Error: ',
    // Whether an empty text means something is the server's to know.
    emptyAllowed: isRecord(properties) ? Object.keys(properties) : [],
    requiredTexts: {},
    hasOwnResultCap: false,
    undo: access === 'read' ? 'nothing' : 'impossible',
    asksModel: false,
    prepare: (input) => ({
      assess: async () => ({
        access: accessOf(server, tool, input),
        execute: async (context) => {
          // Also what a server says of a failure is its text.
          markAsOutside(server, context);
          return toolResult(await called(connection, tool, input, context));
        },
      }),
    }),
  };
}

function called(
  connection: Pick<McpConnection, 'call'>,
  tool: ServerTool,
  input: ToolInput,
  { signal, onOutput }: ToolContext,
): Promise<CallResult> {
  return connection.call(tool.name, input, {
    signal,
    onProgress: ({ progress, total, message }) => {
      const share = total === undefined ? `${progress}` : `${progress}/${total}`;
      onOutput(message === undefined ? `${share}\n` : `${share} ${message}\n`);
    },
  });
}

function markAsOutside(server: string, { mark }: ToolContext): void {
  const source = `MCP server ${server}`;
  mark({ kind: 'untrusted', source });
  mark({ kind: 'private', source });
}

/** Throws the text of a failed call; the registry says whose it is (tool catalogue A.7, C.5). */
function toolResult(result: CallResult): ToolResult {
  const text = resultText(result);
  if (result.isError) throw new Error(text);
  const parts = resultParts(result.parts);
  return { text, isError: false, ...(parts === undefined ? {} : { parts }) };
}

/** `undefined`: its text is all of it. */
function resultParts(parts: readonly CallPart[]): readonly ResultPart[] | undefined {
  if (!parts.some(({ type }) => type === 'image' || type === 'audio')) return undefined;
  return parts.flatMap((part): ResultPart[] => {
    if (part.type === 'image' || part.type === 'audio') return [part];
    const text = resultText({ isError: false, parts: [part] });
    return part.type === 'unknown' ? [] : [{ type: 'text', text }];
  });
}
