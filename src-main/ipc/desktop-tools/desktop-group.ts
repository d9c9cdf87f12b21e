import { z } from 'zod';
import type { AccessClass } from '../../../src-preload/contract/access-class.ts';
import {
  DESKTOP_TOOLS,
  type DesktopTool,
  MAX_CHOICE_LENGTH,
  MAX_CHOICES,
  MAX_QUESTION_LENGTH,
} from '../../../src-preload/contract/desktop-tools.ts';
import { ToolGroup } from '../../client-tools/records.ts';

/** The parameters of each tool of the window. */
export const DESKTOP_INPUTS = {
  show_message: z.object({ text: z.string().min(1).max(500).describe('What to show, in a sentence or two') }),
  ask_user: z.object({
    question: z.string().min(1).max(MAX_QUESTION_LENGTH).describe('One question, complete in itself'),
    choices: z
      .array(z.string().min(1).max(MAX_CHOICE_LENGTH))
      .max(MAX_CHOICES)
      .optional()
      .describe(
        'Answers to choose from; the user may also give another one. Leave out for an answer in their own words',
      ),
  }),
  open_url: z.object({ url: z.string().min(1).describe('Absolute http or https URL') }),
  open_path: z.object({ path: z.string().min(1).describe('File or folder, relative to the workspace') }),
  reveal_in_folder: z.object({ path: z.string().min(1).describe('File or folder, relative to the workspace') }),
  get_selection: z.object({}),
  get_clipboard: z.object({}),
  set_clipboard: z.object({ text: z.string().min(1).max(1_000_000).describe('What to put there') }),
  notify: z.object({
    title: z.string().min(1).max(100).describe('A few words'),
    text: z.string().max(300).default('').describe('One sentence'),
  }),
  preview_file: z.object({ path: z.string().min(1).describe('Text file, relative to the workspace') }),
} as const satisfies Readonly<Record<DesktopTool, z.ZodType>>;

const DESCRIPTIONS: Readonly<Record<DesktopTool, string>> = {
  show_message:
    'Show the user a short message in the window, for example that something is done. It does not wait for them.',
  ask_user:
    'Ask the user a question and wait for the answer: one of the choices, or a text in their own words. For what only they can decide or know; never for passwords, keys or permission.',
  open_url: 'Open a web page in the user’s browser.',
  open_path:
    'Open a file or folder of the workspace with the program that the system uses for it. The user is asked first.',
  reveal_in_folder: 'Show a file or folder of the workspace in the system’s file manager.',
  get_selection: 'Return the text that the user has selected in this conversation; empty if there is none.',
  get_clipboard: 'Return the text on the clipboard. The user is asked first.',
  set_clipboard: 'Put a text on the clipboard, so that the user can paste it. The user is asked first.',
  notify: 'Show a notification of the operating system, for a user who may be elsewhere. It does not wait for them.',
  preview_file: 'Show the user a text file of the workspace in the window. You are not given its content.',
};

/** The classes that lists show, according to what `plannedEffects` says about any call. */
export const DESKTOP_CLASSES: Readonly<Record<DesktopTool, AccessClass>> = {
  show_message: 'read',
  ask_user: 'read',
  open_url: 'network',
  open_path: 'execute',
  reveal_in_folder: 'read',
  get_selection: 'read',
  get_clipboard: 'read',
  set_clipboard: 'write',
  notify: 'read',
  preview_file: 'read',
};

export const DESKTOP = 'Desktop';

let group: ToolGroup | undefined;

/**
 * The window's own tools, in the form in which any client registers its tools. Made for the first turn, not at the
 * start of the window.
 */
export function desktopGroup(): ToolGroup {
  group ??= ToolGroup.parse({
    name: DESKTOP,
    description: 'Ask the user, show them something, open pages and files, and use the clipboard',
    startCollapsed: true,
    tools: DESKTOP_TOOLS.map((name) => ({
      name,
      description: DESCRIPTIONS[name],
      parametersSchema: z.toJSONSchema(DESKTOP_INPUTS[name], { io: 'input' }),
    })),
  });
  return group;
}

export function isDesktopTool(name: string): name is DesktopTool {
  return Object.hasOwn(DESKTOP_INPUTS, name);
}
