// @ts-check
// `npm start` builds what changed, finds an Electron, and opens the window. Arguments after `--` are passed to the app.
import './require-toolchain.mjs';
import { builtOutput } from './built-output.mjs';
import { isChatterWanted } from './electron-chatter.mjs';
import { electronCommand } from './electron-command.mjs';
import { endLike, startElectron } from './electron-process.mjs';
import { prepareElectron } from './electron-readiness.mjs';

const ready = await prepareElectron(process.env);
if (ready !== undefined) {
  const args = process.argv.slice(2);
  const command = electronCommand({
    electron: ready.electron,
    entry: await builtOutput(),
    args,
    env: ready.env,
    platform: process.platform,
    isRoot: process.getuid?.() === 0,
  });
  const end = await startElectron(command, { isChatterWanted: isChatterWanted(ready.env, args) }).ended;
  await ready.stop();
  endLike(end);
}
