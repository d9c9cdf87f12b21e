// The least that is an Electron app with a window: what ours is measured against. As large, and as locked.
import { join } from 'node:path';
import { app, BrowserWindow } from 'electron';

const profile = process.argv[process.argv.indexOf('--profile') + 1];
app.setPath('userData', join(profile, 'window'));
app.on('window-all-closed', () => app.quit());
app.whenReady().then(() => {
  const window = new BrowserWindow({
    width: 1160,
    height: 800,
    webPreferences: { sandbox: true, contextIsolation: true, nodeIntegration: false },
  });
  window.loadFile(join(import.meta.dirname, 'index.html'));
});
