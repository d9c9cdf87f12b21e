import type { HttpResponse } from '../../network/http.ts';

/** In how many seconds a server wants to be asked again, if it says. Source: https://www.rfc-editor.org/rfc/rfc9110#field.retry-after */
export function retryAfterSeconds({ headers }: Pick<HttpResponse, 'headers'>): number | undefined {
  const stated = headers['retry-after']?.trim() ?? '';
  if (/^\d+$/.test(stated)) return Number(stated);
  const at = Date.parse(stated);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1_000));
}
