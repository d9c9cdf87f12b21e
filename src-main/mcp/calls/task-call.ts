import { setTimeout as delay } from 'node:timers/promises';
import type { Client, RequestOptions } from '@modelcontextprotocol/client';
import { z } from 'zod';

/** The interval for servers that don't specify one. */
const POLL_MS = 1_000;
const SHORTEST_POLL_MS = 100;
const MAX_POLL_MS = 30_000;
/** How long a server is asked to keep an unfetched result. */
const KEPT_FOR_MS = 60 * 60 * 1_000;
const CANCEL_WITHIN_MS = 5_000;

const task = z.object({
  taskId: z.string(),
  status: z.enum(['working', 'input_required', 'completed', 'failed', 'cancelled']),
  statusMessage: z.string().optional(),
  pollInterval: z.number().optional(),
});
type Task = z.infer<typeof task>;

const created = z.object({ task });
const payload = z.looseObject({});

export interface TaskCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

type TaskOptions = RequestOptions & {
  readonly signal: AbortSignal;
  readonly onprogress: NonNullable<RequestOptions['onprogress']>;
  readonly onTask?: ((taskId: string) => void) | undefined;
};

/** Whether this server's tools can be called as tasks. Source: MCP specification 2025-11-25, "Tasks". */
export function takesTasks(client: Client): boolean {
  const { tasks } = client.getServerCapabilities() ?? {};
  return client.getProtocolEra() !== 'modern' && tasks?.requests?.tools?.call !== undefined;
}

/**
 * Calls a tool as a task: creates it, polls at the server's interval, and fetches its result. Every response counts as
 * progress. On abort the server is asked to cancel it.
 */
export async function callAsTask(
  client: Client,
  call: TaskCall,
  { onTask, ...options }: TaskOptions,
): Promise<Record<string, unknown>> {
  const { onprogress, ...quiet } = options;
  const { signal } = options;
  const params = { ...call, arguments: { ...call.arguments }, task: { ttl: KEPT_FOR_MS } };
  const { task: first } = await client.request({ method: 'tools/call', params }, created, options);
  const { taskId } = first;
  onTask?.(taskId);
  try {
    let current: Task = first;
    for (let polls = 0; current.status === 'working'; polls++) {
      onprogress({
        progress: polls,
        ...(current.statusMessage === undefined ? {} : { message: current.statusMessage }),
      });
      await delay(pollMs(current), undefined, { signal });
      current = await client.request({ method: 'tasks/get', params: { taskId } }, task, quiet);
    }
    if (current.status === 'cancelled') throw new Error(current.statusMessage ?? 'The server cancelled the task');
    // Input that the task needs is requested on the way to its result, which arrives when it is over.
    return await client.request({ method: 'tasks/result', params: { taskId } }, payload, quiet);
  } catch (error) {
    if (signal.aborted) void cancelTask(client, taskId);
    throw error;
  }
}

async function cancelTask(client: Client, taskId: string): Promise<void> {
  const options = { timeout: CANCEL_WITHIN_MS };
  // The task or the connection may already be over.
  await client.request({ method: 'tasks/cancel', params: { taskId } }, payload, options).catch(() => undefined);
}

function pollMs({ pollInterval = POLL_MS }: Task): number {
  return Math.min(Math.max(pollInterval, SHORTEST_POLL_MS), MAX_POLL_MS);
}
