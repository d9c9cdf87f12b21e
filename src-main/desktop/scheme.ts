import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { protocol, type Session } from 'electron';
import { assetFile, contentTypeOf, SCHEME, SECURITY_HEADERS, type SurfaceName } from './surface-files.ts';

/** Before the app is ready, once. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ]);
}

/** Serves one surface's files, and nothing else, in a session that only this surface uses. */
export function serveSurface(session: Session, surface: SurfaceName, rendererFolder: string): void {
  session.protocol.handle(SCHEME, async (request) => {
    const file = request.method === 'GET' ? assetFile(surface, request.url) : undefined;
    if (file === undefined) return notFound();
    try {
      const bytes = await readFile(join(rendererFolder, ...file));
      return new Response(new Uint8Array(bytes), {
        headers: { ...SECURITY_HEADERS, 'content-type': contentTypeOf(file.at(-1) ?? '') },
      });
    } catch (error) {
      if (error instanceof Error && 'code' in error) return notFound();
      throw error;
    }
  });
}

function notFound(): Response {
  return new Response('Not found', { status: 404, headers: { ...SECURITY_HEADERS, 'content-type': 'text/plain' } });
}
