import { app, type Session, type WebContents } from 'electron';

/** A name that resolves nowhere, by RFC 2606. */
const NO_PROXY_IS_THERE = 'http://steward.invalid:1';

/**
 * Chromium itself has no business on any network: what Steward sends, Node sends from the main process. The content policy and
 * the request filter see requests only; a page that was taken over could still put what it knows into the names that
 * `dns-prefetch` and `preconnect` look up. Before the app is ready.
 */
export function resolveNoNames(): void {
  app.commandLine.appendSwitch('host-resolver-rules', 'MAP * ~NOTFOUND');
}

/** Connections by address (`preconnect`, peer connections over TCP) end at a proxy that is not there. */
export function connectNowhere(session: Session): void {
  void session.setProxy({ mode: 'fixed_servers', proxyRules: NO_PROXY_IS_THERE, proxyBypassRules: '<-loopback>' });
}

/** Peer connections send datagrams past every policy and proxy. */
export function sendNoDatagrams(contents: WebContents): void {
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
}
