import type { DoctorAdvice, DoctorStep } from '../../src-preload/contract/server-doctor.ts';
import type { Reach } from '../network/reach.ts';

const NO_TLS = /^(?:EPROTO|ERR_SSL_)/;

/** How far a connection to its URL got, as steps: the address as written, the lookup, the port, TLS. */
export function urlSteps({ written, lookup, port, tls }: Reach): readonly DoctorStep[] {
  if (!written.ok)
    return [
      step('address', { facts: [{ code: 'url_refused', reason: written.reason }], advice: [{ code: 'check_url' }] }),
    ];
  const steps: DoctorStep[] = [
    ok('address', { code: 'address', host: written.host, port: written.port, isPrivate: written.isPrivate }),
  ];
  if (lookup?.ok === true) steps.push(ok('lookup', { code: 'addresses', addresses: lookup.addresses }));
  else if (lookup !== undefined && 'becamePrivate' in lookup)
    steps.push(
      step('lookup', {
        facts: [{ code: 'became_private', addresses: lookup.becamePrivate }],
        advice: [{ code: 'private_address' }],
      }),
    );
  else if (lookup !== undefined)
    steps.push(
      step('lookup', { facts: [failed(lookup.error)], advice: [{ code: 'host_unknown', host: written.host }] }),
    );
  if (port?.ok === true) steps.push(ok('port', { code: 'connected', address: port.address, ms: port.ms }));
  else if (port !== undefined)
    steps.push(
      step('port', {
        facts: [failed(port.error)],
        advice: [
          { code: 'closed_port', host: written.host, port: written.port, isOwnMachine: isOwnMachine(written.host) },
        ],
      }),
    );
  if (tls?.ok === true)
    steps.push(ok('tls', { code: 'certificate', issuer: tls.issuer, validTo: tls.validTo, protocol: tls.protocol }));
  else if (tls !== undefined) steps.push(step('tls', { facts: [failed(tls.error)], advice: [tlsAdvice(tls.error)] }));
  return steps;
}

function tlsAdvice(error: string): DoctorAdvice {
  return NO_TLS.test(error) || error === 'ECONNRESET' ? { code: 'plain_http' } : { code: 'certificate', error };
}

function ok(id: DoctorStep['id'], fact: DoctorStep['facts'][number]): DoctorStep {
  return { id, outcome: 'ok', facts: [fact], advice: [] };
}

function step(id: DoctorStep['id'], { facts, advice }: Pick<DoctorStep, 'facts' | 'advice'>): DoctorStep {
  return { id, outcome: 'problem', facts, advice };
}

function failed(error: string) {
  return { code: 'failed', error } as const;
}

function isOwnMachine(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host.startsWith('127.') || host === '::1';
}
