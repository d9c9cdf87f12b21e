import type { z } from 'zod';
import type { Envelope } from '../../src-preload/contract/envelope.ts';
import type { Route, Surface } from '../../src-preload/contract/route.ts';
import { sizeOf } from '../base/approximate-size.ts';
import type { Circumstances, HandlerTable, RouteGroup } from './handlers.ts';
import { IpcError } from './ipc-error.ts';

/** The largest attachment as base64, with some room to spare. */
export const MAX_INPUT_BYTES = 40 * 1024 * 1024;

export interface RouterRequest {
  /** The view that sent the request, or null if it is not one of Steward's. */
  readonly surface: Surface | null;
  readonly isTopFrame: boolean;
  readonly origin: string;
  /** The time in milliseconds of `performance.now()`. */
  readonly receivedAt: number;
  /** Everything below is untrusted. */
  readonly route: unknown;
  readonly input: unknown;
}

export type RouteTable = Readonly<Record<Surface, Readonly<Record<string, RouteGroup>>>>;

export interface RouterOptions {
  readonly routes: RouteTable;
  readonly handlers: HandlerTable;
  /** The origin of each surface's page. */
  readonly origins: Readonly<Record<Surface, string>>;
  /** Called with unexpected errors; the page is told only that there was one. */
  readonly onFault: (route: string, error: unknown) => void;
}

type Router = (request: RouterRequest) => Promise<Envelope<unknown>>;
type Handler = (input: unknown, circumstances: Circumstances) => unknown;

interface Entry {
  readonly surface: Surface;
  readonly group: string;
  readonly name: string;
  readonly schema: z.ZodType;
}

const SURFACES: readonly Surface[] = ['app', 'consent'];
const FAULT_TEXT = 'Something went wrong in Steward. Try again; if it keeps happening, restart Steward.';

/**
 * The only way from the pages to the main process. Checks sender, route and input, in that order, and answers every
 * request with an envelope; it never rejects. Source: design section 5.
 */
export function createRouter({ routes, handlers, origins, onFault }: RouterOptions): Router {
  const entries = new Map<string, Entry[]>();
  for (const surface of SURFACES) {
    for (const [group, members] of Object.entries(routes[surface])) {
      for (const [name, route] of Object.entries(members)) {
        const path = `${group}.${name}`;
        entries.set(path, [...(entries.get(path) ?? []), { surface, group, name, schema: schemaOf(route) }]);
      }
    }
  }

  return async (request) => {
    const { surface, isTopFrame, origin, receivedAt, route, input } = request;
    let shown = 'a request';
    try {
      if (surface === null || !isTopFrame || origin !== origins[surface])
        throw new IpcError('wrong_sender', "Only Steward's own pages may send requests.");
      const candidates = typeof route === 'string' ? entries.get(route) : undefined;
      if (candidates === undefined) throw new IpcError('unknown_route', `There is no route ${shownRoute(route)}.`);
      shown = String(route);
      const entry = candidates.find((candidate) => candidate.surface === surface);
      if (entry === undefined) throw new IpcError('wrong_surface', `This page may not use ${shown}.`);
      if (sizeOf(input, MAX_INPUT_BYTES) > MAX_INPUT_BYTES)
        throw new IpcError('too_large', `The request is larger than ${MAX_INPUT_BYTES / 1024 / 1024} MB.`);
      const handler = await handlerOf(handlers, entry);
      return { ok: true, data: (await handler(parsed(entry, shown, input), { receivedAt })) ?? null };
    } catch (error) {
      // It imports the errors of every room, so it is loaded only when an error has to be reported.
      const { reportOf } = await import('./error-report.ts');
      const report = reportOf(error);
      if (report !== undefined) return { ok: false, error: report };
      onFault(shown, error);
      return { ok: false, error: { code: 'internal', message: FAULT_TEXT } };
    }
  };
}

function schemaOf(route: Route<z.ZodType, unknown>): z.ZodType {
  return route.input;
}

/** The table is typed where it is built; here its entries are looked up by its own keys. */
async function handlerOf(handlers: HandlerTable, { surface, group, name }: Entry): Promise<Handler> {
  const table = handlers as unknown as Record<Surface, Record<string, unknown>>;
  const members = (await table[surface][group]) as Record<string, Handler> | undefined;
  const handler = members?.[name];
  if (handler === undefined) throw new TypeError(`No handler for ${group}.${name}`);
  return handler;
}

function parsed({ schema }: Entry, route: string, input: unknown): unknown {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = issue === undefined || issue.path.length === 0 ? 'the input' : issue.path.map(String).join('.');
  throw new IpcError('bad_input', `${route}: ${field} is not valid. ${issue?.message ?? ''}`.trim());
}

function shownRoute(route: unknown): string {
  return typeof route === 'string' ? JSON.stringify(route.slice(0, 80)) : `of type ${typeof route}`;
}
