// @ts-check
// Compares MCP servers of other people with the official client: see tests/trials/servers/README.md.
import './require-toolchain.mjs';

await import('../tests/trials/servers/main.ts');
