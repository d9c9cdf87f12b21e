// Does what `electron PATH` does in Electron's own default app, for the evaluation runtime, which comes without one:
// opens the app at PATH, a folder with a package.json or a file. It is packed into default_app.asar, and never part of
// Steward.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app } from 'electron';

if (process.argv.slice(1).some((argument) => argument === '--version' || argument === '-v')) {
  process.stdout.write(`v${process.versions.electron}\n`);
  process.exit(0);
}
const given = process.argv.slice(1).find((argument) => !argument.startsWith('-'));
if (given === undefined) {
  process.stderr.write('Usage: electron PATH, where PATH is an app: a folder with a package.json, or a file.\n');
  process.exit(2);
}
Object.defineProperty(process, 'defaultApp', { configurable: false, enumerable: true, value: true });
// The top-level await has the entry loaded before `ready` is emitted, so privileged schemes can still be registered.
await import(pathToFileURL(entryOf(resolve(given))).href);

/** @param {string} path */
function entryOf(path) {
  if (!existsSync(path)) {
    process.stderr.write(`There is no app at ${path}\n`);
    process.exit(2);
  }
  if (!statSync(path).isDirectory()) {
    app.setAppPath(dirname(path));
    return path;
  }
  const manifest = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
  app.setName(manifest.productName ?? manifest.name);
  app.setVersion(manifest.version);
  if (manifest.desktopName) app.setDesktopName(manifest.desktopName);
  app.setAppPath(path);
  return join(path, manifest.main ?? 'index.js');
}
