import type { MediaBlock, ResultPart } from '../../src-preload/contract/content-blocks.ts';
import { effectsOfMcpCall, type McpPorts, type McpServerFacts, PathNotReal } from '../policy/mcp/mcp-call.ts';
import { classOfTool } from '../policy/mcp/tool-class.ts';
import {
  type AssessContext,
  type Tool,
  type ToolContext,
  ToolFailure,
  type ToolInput,
  type ToolResult,
} from '../tools/contract.ts';
import { type CallPart, type CallResult, resultText, textBeside } from './calls/call-result.ts';
import type { ServerTool } from './calls/tool-list.ts';
import type { McpConnection } from './connection.ts';

/**
 * A server's tool in the registry: `{server}__{tool}`. Description and schema are the server's, verbatim; its claims
 * about effects are not trusted. `facts` are read on each call; the class shown in lists keeps its first value. Source:
 * tool catalogue C.3 to C.5.
 */
export function mcpTool(
  connection: Pick<McpConnection, 'name' | 'call'>,
  tool: ServerTool,
  facts: () => McpServerFacts,
): Tool {
  const { name: server } = connection;
  const { name, inputSchema, annotations } = tool;
  const { class: access, classFrom } = classOfTool(name, { ...facts(), annotations });
  return {
    name: `${server}__${name}`,
    description: tool.description.trim() === '' ? `MCP tool ${name} from ${server}` : tool.description,
    access,
    inputSchema,
    parameterAliases: {},
    nameAliases: [`${server}:${name}`],
    errorPrefix: 'Error: ',
    isForwarded: true,
    emptyAllowed: [],
    requiredTexts: {},
    hasOwnResultCap: false,
    undo: access === 'read' && classFrom !== 'claim' ? 'nothing' : 'impossible',
    asksModel: false,
    prepare: (input) => ({
      assess: async (looking) => {
        const given = { tool: name, annotations, inputSchema, input };
        const access = await effectsOfMcpCall(facts(), given, portsOf(looking)).catch((error: unknown) => {
          throw error instanceof PathNotReal ? new ToolFailure(`Error: ${error.message}`, { cause: error }) : error;
        });
        return { access, execute: async (context) => toolResult(await called(connection, tool, input, context)) };
      },
    }),
  };
}

function portsOf({ http, files, beganAt }: AssessContext): McpPorts {
  return { http, files, wasFile: (path) => files.heldBefore(path, beganAt) };
}

function called(
  connection: Pick<McpConnection, 'name' | 'call'>,
  tool: ServerTool,
  input: ToolInput,
  { signal, onOutput, onProgress, conversationId, record }: ToolContext,
): Promise<CallResult> {
  return connection.call(tool.name, input, {
    signal,
    decidedOn: tool,
    origin: { conversationId, record },
    onProgress: ({ progress, total, message }) => {
      const share = total === undefined ? `${progress}` : `${progress}/${total}`;
      onOutput(message === undefined ? `${share}\n` : `${share} ${message}\n`);
      onProgress?.({ progress, total, message });
    },
  });
}

/** Throws the text of a failed call; the registry adds the origin (tool catalogue A.7, C.5). */
function toolResult(result: CallResult): ToolResult {
  const text = resultText(result);
  if (result.isError) throw new Error(text);
  const parts = resultParts(result.parts);
  return { text, isError: false, ...(parts === undefined ? {} : { parts }) };
}

/** `undefined` if the result is text only. */
function resultParts(parts: readonly CallPart[]): readonly ResultPart[] | undefined {
  const given = parts.flatMap((part): ResultPart[] => {
    const media = mediaIn(part);
    if (media !== undefined) return [media];
    const text = textBeside(part, parts);
    return text === undefined ? [] : [{ type: 'text', text }];
  });
  return given.some(({ type }) => type !== 'text') ? given : undefined;
}

/** An embedded blob is kept like an attachment: given to models that read its type, and there for the user. */
function mediaIn(part: CallPart): MediaBlock | undefined {
  if (part.type === 'image' || part.type === 'audio') return part;
  if (part.type !== 'resource' || part.data === undefined || part.data === '') return undefined;
  const { data, mediaType = 'application/octet-stream' } = part;
  if (mediaType.startsWith('image/')) return { type: 'image', mediaType, data };
  const type = mediaType.startsWith('audio/') ? 'audio' : 'document';
  return { type, mediaType, data, name: nameIn(part.uri) };
}

function nameIn(uri: string): string {
  const last =
    uri
      .split(/[?#]/, 1)[0]
      ?.split(/[/\\]/)
      .findLast((segment) => segment !== '') ?? '';
  try {
    return decodeURIComponent(last) || uri;
  } catch {
    return last;
  }
}
