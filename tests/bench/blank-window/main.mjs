// The smallest Electron app with a window, as large and as locked as ours, which is measured against it.
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
