// @ts-check
// Leaves out what Chromium and the libraries below it report on every machine: that they miss a session bus, a GPU, a
// theme. Nobody can do anything about it.

/**
 * Lines begin like `[1234:1124/202425.123456:ERROR:dbus/bus.cc(408)] …`. FATAL is not among the words, because it says
 * why Electron ended.
 */
const OF_CHROMIUM = /^\[\d+:(?:\d+:)?\d{4}\/\d{6}\.\d+:(?:VERBOSE\d+|INFO|WARNING|ERROR):[^\]]*\]/;
/** Lines begin like `(electron:1234): Gtk-WARNING **: 20:24:25.123: …`. */
const OF_GLIB = /^\([^()]+:\d+\): [\w-]+-(?:Message|DEBUG|INFO|WARNING|CRITICAL|\*\*)(?: \*\*)?:/;
const OF_OTHERS = /^(?:libva|MESA(?:-LOADER)?|libEGL|libGL|Xlib|dconf|Fontconfig|ALSA lib)\b[^:]*: |^Xlib: {2}/;

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {readonly string[]} args the app's arguments
 * @returns {boolean} whether the user wants to see the chatter. Electron itself has these names for that.
 */
export function isChatterWanted(env, args) {
  return (
    Boolean(env.ELECTRON_ENABLE_LOGGING) ||
    args.some((arg) => /^--(?:enable-logging|v|vmodule|log-level)(?:=|$)/.test(arg))
  );
}

/**
 * @param {string} line
 * @returns {boolean}
 */
export function isChatter(line) {
  return OF_CHROMIUM.test(line) || OF_GLIB.test(line) || OF_OTHERS.test(line);
}

/**
 * Leaves chatter out of a program's output, line by line. GLib puts an empty line before its own.
 * @param {(text: string) => void} write
 * @returns {{ add: (text: string) => void, end: () => void }}
 */
export function withoutChatter(write) {
  let begun = '';
  let emptyLines = '';
  /** @param {string} line a line with its end */
  const take = (line) => {
    if (line.trim() === '') {
      emptyLines += line;
      return;
    }
    if (!isChatter(line)) write(emptyLines + line);
    emptyLines = '';
  };
  return {
    add: (text) => {
      const lines = (begun + text).split(/(?<=\n)/);
      begun = lines.at(-1)?.endsWith('\n') ? '' : (lines.pop() ?? '');
      for (const line of lines) take(line);
    },
    end: () => {
      if (begun !== '') take(begun);
      if (emptyLines !== '') write(emptyLines);
    },
  };
}
