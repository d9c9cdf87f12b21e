import { expect, test } from 'vitest';
import { childEnvironment } from '../../../src-main/processes/child-environment.ts';

test('children get neither our secrets nor what looks like one', () => {
  const given = { PATH: '/bin', GOOGLE_CLIENT_ID: 'x', ANTHROPIC_API_KEY: 'y', MY_TOKEN: 'z', EDITOR: 'vi' };
  expect(childEnvironment(given)).toEqual({ PATH: '/bin', EDITOR: 'vi' });
});
