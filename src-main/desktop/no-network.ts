import { app, type Session, type WebContents } from 'electron';

/** A name that never resolves (RFC 2606). */
const NO_PROXY_IS_THERE = 'http://steward.invalid:1';

/**
 * Chromium needs no network: Steward sends everything from Node in the main process. The content security policy and the request filter see only
 * requests, so a compromised page could still leak data in the names that `dns-prefetch` and `preconnect` look up. Must run before the app is
 * ready.
 */
export function resolveNoNames(): void {
  app.commandLine.appendSwitch('host-resolver-rules', 'MAP * ~NOTFOUND');
}

/** Connections by address (`preconnect`, peer connections over TCP) go to a proxy that does not exist. */
export function connectNowhere(session: Session): void {
  void session.setProxy({ mode: 'fixed_servers', proxyRules: NO_PROXY_IS_THERE, proxyBypassRules: '<-loopback>' });
}

/** WebRTC sends datagrams past every policy and proxy. */
export function sendNoDatagrams(contents: WebContents): void {
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
}
