/**
 * The id is the same as in electron-builder.yml. By it, Windows knows which notifications and windows belong to the
 * installed shortcut.
 */
export const APP_ID = 'io.github.steward-desktop.Steward';
