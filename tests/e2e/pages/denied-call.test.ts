import { afterAll, beforeEach, expect, test } from 'vitest';
import { needElectron } from '../../fixtures/electron-app.ts';
import { Gallery } from '../../fixtures/gallery/gallery.ts';
import { scenes } from '../../fixtures/gallery/scenes/index.ts';

let gallery: Gallery;
beforeEach(async (context) => {
  gallery ??= await Gallery.open(needElectron(context));
}, 120_000);
afterAll(() => gallery?.close());

test('the card of a call that the user denied shows what they wrote, without being opened', async () => {
  const scene = scenes.find(({ name }) => name === 'chat-tools');
  if (scene === undefined) throw new Error('There is no such scene.');
  await gallery.enter(scene, async (page) => {
    const card = page.getByRole('group', { name: /: Denied$/ });
    await card.getByText('You said: Put it into src/questions.ts instead.').waitFor();
    expect(await card.getByRole('button', { expanded: false }).count()).toBe(1);
  });
});
