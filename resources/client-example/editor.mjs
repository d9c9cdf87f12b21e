#!/usr/bin/env node
import { readFile, realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { askTransport, socketTransport, withClientTools } from './steward-client.mjs';

/**
 * A small editor in a terminal as a client of Steward: the model can open a file in it, read what is selected, and show
 * a message.
 *
 *   node editor.mjs [--profile DIR] [--folder DIR]                   attaches to the open window
 *   node editor.mjs [--folder DIR] --ask "prompt" -- COMMAND ...     runs one turn of ask, such as: -- npm run --silent ask --
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    profile: { type: 'string' },
    folder: { type: 'string', default: '.' },
    ask: { type: 'string' },
    'token-file': { type: 'string' },
  },
});

const folder = await realpath(values.folder);
/** The open file, its lines, and the selected ones (from 1). */
let open = { path: null, lines: [], from: 0, to: 0 };

const editor = {
  name: 'IDE',
  description: 'The editor on the user’s screen',
  systemPrompt: 'The editor shows one file at a time. Line numbers begin at 1.',
  tools: [
    {
      name: 'OpenFile',
      description: 'Shows a file in the editor, and selects lines of it',
      parametersSchema: {
        type: 'object',
        properties: {
          path: { type: 'string', description: 'Inside the folder of the editor' },
          from: { type: 'integer', minimum: 1, description: 'First selected line' },
          to: { type: 'integer', minimum: 1, description: 'Last selected line' },
        },
        required: ['path'],
      },
      run: async ({ path, from = 1, to = from }) => {
        const file = await fileInside(path);
        const lines = (await readFile(file, 'utf8')).split('\n');
        open = { path: relative(folder, file), lines, from: Number(from), to: Math.min(Number(to), lines.length) };
        say(`opened ${open.path}, lines ${open.from} to ${open.to} of ${lines.length}`);
        return `Opened ${open.path}. Selected lines ${open.from} to ${open.to} of ${lines.length}.`;
      },
    },
    {
      name: 'GetSelection',
      description: 'The open file and the selected text',
      run: () => {
        if (open.path === null) throw new Error('No file is open.');
        const text = open.lines.slice(open.from - 1, open.to).join('\n');
        return { path: open.path, from: open.from, to: open.to, text };
      },
    },
    {
      name: 'ShowMessage',
      description: 'Shows a line of text to the user',
      parametersSchema: {
        type: 'object',
        properties: { text: { type: 'string' } },
        required: ['text'],
      },
      requiresPermission: true,
      run: ({ text }) => {
        say(`message: ${String(text)}`);
        return 'Shown.';
      },
    },
  ],
};

const client = withClientTools({
  name: 'Example editor',
  version: '1.0',
  groups: [editor],
  context: [{ description: 'Folder of the editor', value: folder }],
  transport:
    values.ask === undefined
      ? socketTransport({ profile: values.profile, tokenFile: values['token-file'] })
      : askTransport({ command: positionals, prompt: values.ask }),
  onStatus: ({ name, reason, groups, retryInMs }) => {
    if (name === 'attached') say(`attached with ${groups.join(', ')}`);
    else if (name === 'disconnected') say(`${reason}; next try in ${retryInMs} ms`);
    else if (name === 'error' || name === 'closed') say(reason ?? name);
    else say(name);
  },
  onEvent: (event) => {
    if (event.type === 'text') process.stdout.write(event.text);
    else if (event.type === 'error') say(`error: ${event.message}`);
    else if (event.type === 'done') process.stdout.write('\n');
  },
});
process.once('SIGINT', () => client.close());
const { code } = await client.ended;
process.exitCode = typeof code === 'number' ? code : code === undefined ? 0 : 1;

/** What a model writes may name any file, and links may lead anywhere. */
async function fileInside(path) {
  const file = await realpath(resolve(folder, String(path)));
  const within = relative(folder, file);
  if (within === '' || within.startsWith('..') || isAbsolute(within)) throw new Error(`${path} is not in ${folder}.`);
  return file;
}

/** On standard error, without characters that could repaint the terminal. */
function say(text) {
  process.stderr.write(`editor: ${text.replace(/\p{C}/gu, '')}\n`);
}
