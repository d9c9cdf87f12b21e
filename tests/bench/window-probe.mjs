// Loaded by Electron before the measured app, whichever that is. Prints a line as soon as its window is shown and the
// element in it (a selector, in WINDOW_PROBE_ELEMENT) is drawn and, where it takes focus, has it.
import { app } from 'electron';

const selector = process.env.WINDOW_PROBE_ELEMENT ?? '';

app.once('browser-window-created', (_event, window) => {
  const shown = window.isVisible() ? Promise.resolve() : new Promise((resolve) => window.once('show', resolve));
  const drawn = new Promise((resolve, reject) => {
    window.webContents.once('dom-ready', () => {
      // Unlike that of webContents, this one does not wait until everything is loaded.
      const { mainFrame } = window.webContents;
      mainFrame.executeJavaScript(`(${isUsable})(${JSON.stringify(selector)})`).then(resolve, reject);
    });
  });
  Promise.all([shown, drawn]).then(
    () => process.stdout.write('interactive\n'),
    (error) => process.stderr.write(`${error}\n`),
  );
});

/** Runs in the page. */
function isUsable(selector) {
  return new Promise((resolve) => {
    const look = () => {
      const element = document.querySelector(selector);
      if (!element?.checkVisibility({ opacityProperty: true, visibilityProperty: true })) {
        requestAnimationFrame(look);
        return;
      }
      element.focus();
      const isFocused = document.activeElement === element || element.tabIndex < 0;
      // The frame with it has been drawn when the next one begins.
      requestAnimationFrame(() => (isFocused ? resolve() : look()));
    };
    look();
  });
}
