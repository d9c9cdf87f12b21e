import { readFile } from 'node:fs';
import { join } from 'node:path';
import { type ProtocolResponse, protocol, type Session } from 'electron';
import { assetFile, contentTypeOf, SCHEME, SECURITY_HEADERS, type SurfaceName } from './surface-files.ts';

/** Call once, before the app is ready. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ]);
}

/**
 * Serves one surface's files, and nothing else, in a session that only this surface uses. `protocol.handle` is the
 * newer API, but it builds a `Request` and a `Response`, for which Node first loads all of `fetch`, before the page is
 * shown.
 */
export function serveSurface(session: Session, surface: SurfaceName, rendererFolder: string): void {
  const isRegistered = session.protocol.registerBufferProtocol(SCHEME, ({ method, url }, answer) => {
    const file = method === 'GET' ? assetFile(surface, url) : undefined;
    if (file === undefined) {
      answer(notFound());
      return;
    }
    readFile(join(rendererFolder, ...file), (error, data) => {
      if (error === null) answer(found(file.at(-1) ?? '', data));
      else answer(notFound());
    });
  });
  if (!isRegistered)
    throw new Error(`The files of the page "${surface}" cannot be served: the scheme ${SCHEME} is already registered.`);
}

function found(name: string, data: Buffer): ProtocolResponse {
  return { statusCode: 200, headers: { ...SECURITY_HEADERS, 'content-type': contentTypeOf(name) }, data };
}

function notFound(): ProtocolResponse {
  return {
    statusCode: 404,
    headers: { ...SECURITY_HEADERS, 'content-type': 'text/plain' },
    data: Buffer.from('Not found'),
  };
}
