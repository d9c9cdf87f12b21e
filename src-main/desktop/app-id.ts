/** As in electron-builder.yml: Windows knows by it which notifications and windows belong to the installed shortcut. */
export const APP_ID = 'io.github.steward-desktop.Steward';
