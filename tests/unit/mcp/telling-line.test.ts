import { expect, test } from 'vitest';
import { tellingLine } from '../../../src-main/mcp/status/telling-line.ts';

const OUTPUTS: Readonly<Record<string, { readonly output: string; readonly telling: string }>> = {
  'Node without a module': {
    output: `node:internal/modules/cjs/loader:1228
  throw err;
  ^

Error: Cannot find module '/srv/tracker/index.js'
    at Module._resolveFilename (node:internal/modules/cjs/loader:1225:15)
    at node:internal/main/run_main_module:28:49 {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v20.18.0`,
    telling: "Error: Cannot find module '/srv/tracker/index.js'",
  },
  'npx offline': {
    output: `npm warn exec The following package was not found and will be installed: tracker@1.0.0
npm error code ENOTFOUND
npm error syscall getaddrinfo
npm error errno ENOTFOUND
npm error network request to https://packages.example/tracker failed, reason: getaddrinfo ENOTFOUND packages.example
npm error network This is a problem related to network connectivity.
npm error A complete log of this run can be found in: /home/ada/.npm/_logs/2026-11-24-debug-0.log`,
    telling:
      'npm error network request to https://packages.example/tracker failed, reason: getaddrinfo ENOTFOUND packages.example',
  },
  'npx without such a package': {
    output: `npm error code E404
npm error 404 Not Found - GET https://packages.example/trakcer - Not found
npm error 404
npm error 404  'trakcer@*' is not in this registry.
npm error 404
npm error 404 Note that you can also install from a tarball.
npm error A complete log of this run can be found in: /home/ada/.npm/_logs/2026-11-24-debug-0.log`,
    telling: 'npm error 404 Not Found - GET https://packages.example/trakcer - Not found',
  },
  'Python without a module': {
    output: `Traceback (most recent call last):
  File "/srv/main.py", line 3, in <module>
    from mcp.server.fastmcp import FastMCP
ModuleNotFoundError: No module named 'mcp'`,
    telling: "ModuleNotFoundError: No module named 'mcp'",
  },
  uv: {
    output: `   Building tracker @ file:///srv/tracker
error: Failed to spawn: \`tracker\`
  Caused by: No such file or directory (os error 2)`,
    telling: 'error: Failed to spawn: `tracker`',
  },
  'a missing key, before its usage': {
    output: `(node:4711) [DEP0040] DeprecationWarning: The punycode module is deprecated.
(Use \`node --trace-deprecation ...\` to show where the warning was created)
TRACKER_TOKEN is not set
Usage: tracker-mcp [--read-only]`,
    telling: 'TRACKER_TOKEN is not set',
  },
  'a port that is taken': {
    output: `Starting
    throw er; // Unhandled 'error' event
    ^
Error: listen EADDRINUSE: address already in use :::3000
    at Server.setupListenHandle [as _listen2] (node:net:1817:16)
  errno: -98,
  syscall: 'listen',
  port: 3000`,
    telling: 'Error: listen EADDRINUSE: address already in use :::3000',
  },
  docker: {
    output: `Unable to find image 'mcp/trakcer:latest' locally
docker: Error response from daemon: pull access denied for mcp/trakcer, repository does not exist.
See 'docker run --help'.`,
    telling: 'docker: Error response from daemon: pull access denied for mcp/trakcer, repository does not exist.',
  },
  Go: {
    output: 'panic: runtime error: index out of range\n\ngoroutine 1 [running]:\nmain.main()',
    telling: 'panic: runtime error: index out of range',
  },
  'nothing that looks like an error': { output: 'Listening\n\nGoodbye\n', telling: 'Goodbye' },
  'a usage only': { output: 'Usage: server <folder>\n  folder: where to look\n', telling: 'Usage: server <folder>' },
  nothing: { output: '\n \n', telling: '' },
};

test.each(Object.entries(OUTPUTS))('%s', (_name, { output, telling }) => {
  expect(tellingLine(output.split('\n'))).toBe(telling);
});

test('a line that is as long as a line can be is judged at once', () => {
  for (const part of ['a.', 'Error', ' ', 'E', '1|', 'at ']) {
    const line = part.repeat(1_000);
    expect(tellingLine([line])).toBe(line.trim());
  }
});
