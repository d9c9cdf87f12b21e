import { expect, test } from 'vitest';
import { isChatter, isChatterWanted, withoutChatter } from '../../scripts/electron-chatter.mjs';

const CHATTER = [
  '[1234:1124/202425.123456:ERROR:bus.cc(407)] Failed to connect to the bus: Could not parse server address: Unknown address type',
  '[1234:1124/202425.123456:ERROR:dbus/object_proxy.cc(576)] Failed to call method: org.freedesktop.DBus.Properties.GetAll',
  '[98:1124/202425.123456:WARNING:gpu/command_buffer/service/gles2_cmd_decoder.cc(1)] Fallback to software',
  '[98:1124/202425.123456:INFO:CONSOLE(12)] "hello", source: steward://app/app.js (12)',
  '(electron:77): Gtk-WARNING **: 20:24:25.123: Theme parsing error',
  '(steward:77): dbind-WARNING **: 20:24:25.123: AT-SPI: Error retrieving accessibility bus address',
  'libva error: vaGetDriverNameByIndex() failed with unknown libva error, driver_name = (null)',
  'MESA-LOADER: failed to open swrast',
];
const SAID = [
  'The working folder /home/ann/[1234:project] is used.',
  '[steward] Something went wrong (Gtk-WARNING)',
  '[1234:1124/202425.123456:FATAL:zygote_host_impl_linux.cc(128)] No usable sandbox!',
  'Building Steward (only after a change of its sources)…',
];

test('what Chromium and the libraries below it report is told from what Steward says', () => {
  expect(CHATTER.filter((line) => !isChatter(line))).toEqual([]);
  expect(SAID.filter(isChatter)).toEqual([]);
});

test('only what Steward says gets through, however it is cut', () => {
  const text = `${SAID[0]}\n${CHATTER[0]}\n\n${CHATTER[4]}\n${SAID[1]}\n\n${SAID[2]}\n${CHATTER[1]}\nno end of line`;
  const expected = `${SAID[0]}\n${SAID[1]}\n\n${SAID[2]}\nno end of line`;
  for (const size of [1, 7, 80, text.length]) {
    let written = '';
    const filter = withoutChatter((part) => {
      written += part;
    });
    for (let at = 0; at < text.length; at += size) filter.add(text.slice(at, at + size));
    filter.end();
    expect(written).toBe(expected);
  }
});

test('chatter is shown if the variable of Electron asks for it', () => {
  expect(isChatterWanted({}, ['--profile', '/p'])).toBe(false);
  expect(isChatterWanted({ ELECTRON_ENABLE_LOGGING: '1' }, [])).toBe(true);
  for (const arg of ['--enable-logging', '--enable-logging=stderr', '--v=1', '--vmodule=a=1', '--log-level=0'])
    expect(isChatterWanted({}, [arg])).toBe(true);
  expect(isChatterWanted({}, ['--verbose', '--version'])).toBe(false);
});
