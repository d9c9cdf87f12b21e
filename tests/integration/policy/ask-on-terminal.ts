// Started by terminal-consent.test.ts in a pseudo-terminal: asks one question, once a file says so, and prints the
// answer.
import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { terminalConsent } from '../../../src-main/headless/terminal-consent.ts';
import type { ConsentRequest } from '../../../src-main/policy/consent.ts';

const request = JSON.parse(process.env.CONSENT_REQUEST ?? '{}') as ConsentRequest;
const stop = new AbortController();
process.on('SIGINT', () => stop.abort(new Error('interrupted')));
const { stdin: input, stderr: output, env } = process;
while (!existsSync(process.env.CONSENT_GO ?? '/')) await wait(10);
const promptAfterMs = process.env.CONSENT_PROMPT_AFTER_MS;
const consent = terminalConsent({
  input,
  output,
  env,
  ...(promptAfterMs === undefined ? {} : { promptAfterMs: Number(promptAfterMs) }),
});
const outcome = await consent.ask(request, stop.signal).then(
  (answer) => JSON.stringify(answer),
  (error: unknown) => String(error),
);
process.stdout.write(`outcome=${outcome}\n`);
