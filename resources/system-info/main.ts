import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { type ParentPort, PortTransport } from './port-transport.ts';
import { systemInfoServer } from './server.ts';

/** Only a utility process of Electron has one. */
const { parentPort } = process as { readonly parentPort?: ParentPort };
serveStdio(systemInfoServer, parentPort == null ? {} : { transport: new PortTransport(parentPort) });
