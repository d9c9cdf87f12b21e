import { test } from 'vitest';
import { AppRig } from '../../fixtures/electron-app.ts';
import { typesWhole, XdotoolDesk } from '../../fixtures/typing-probe.ts';

const SENTENCE = 'the quick brown fox jumps over the lazy dog, and then 0123456789 sheep are counted twice. ';
const TEXT = SENTENCE.repeat(5).trim();

test('keys of the system arrive, all of them and in order', async (context) => {
  const desk = await XdotoolDesk.set(context);
  const running = await new AppRig(context).launch();
  await typesWhole(running, desk.typist(running), TEXT);
});
