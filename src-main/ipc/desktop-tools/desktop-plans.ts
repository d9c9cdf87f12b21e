import type { z } from 'zod';
import type { Access } from '../../policy/access.ts';
import { openerOf } from '../../policy/commands/openers.ts';
import type { AssessContext } from '../../tools/contract.ts';
import { ToolFailure, type ToolInput } from '../../tools/contract.ts';
import { orFailure } from '../../tools/files/file-failure.ts';
import { InvalidArguments } from '../../tools/invalid-arguments.ts';
import { withCatalogueTexts } from '../../tools/web/http-calls.ts';
import { externalUrl } from '../external-url.ts';
import { DESKTOP_INPUTS, isDesktopTool } from './desktop-group.ts';

/** What a call of the window's tools is about, as it was assessed. */
export interface CallPlan {
  /** A URL or a real path, or empty if it is neither. */
  readonly target: string;
  /** The path as the model gave it; a real path could tell it more. */
  readonly given: string;
  /** Rejects if the path leads somewhere else by now. */
  stillThere(): Promise<void>;
  /** Reads the text of the file. */
  text(): Promise<string>;
}

export interface PlannedEffects {
  readonly access: readonly Access[];
  readonly plan: CallPlan;
}

/**
 * Rejects with `ToolFailure` or `AccessDenied`. Source: design section 4: `open_url` is network, `open_path` is
 * execute.
 */
export async function plannedEffects(tool: string, input: ToolInput, context: AssessContext): Promise<PlannedEffects> {
  if (!isDesktopTool(tool)) throw new ToolFailure(`Error: There is no such tool: ${tool}`);
  const parsed = DESKTOP_INPUTS[tool].safeParse(input);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new InvalidArguments(`Error: ${issue === undefined ? 'The input is not valid.' : issueText(issue)}`);
  }
  switch (tool) {
    case 'open_url':
      return openUrl(DESKTOP_INPUTS.open_url.parse(input).url, context);
    case 'open_path':
      return openPath(DESKTOP_INPUTS.open_path.parse(input).path, context);
    case 'reveal_in_folder':
      return foundPath(DESKTOP_INPUTS.reveal_in_folder.parse(input).path, context);
    case 'preview_file':
      return previewFile(DESKTOP_INPUTS.preview_file.parse(input).path, context);
    case 'get_clipboard':
      return { access: [{ kind: 'clipboard', class: 'read' }], plan: NOTHING };
    case 'set_clipboard':
      return { access: [{ kind: 'clipboard', class: 'write' }], plan: NOTHING };
    default:
      return { access: [{ kind: 'app', class: 'read' }], plan: NOTHING };
  }
}

/** What is too long is said in our words; the user reads it too. */
function issueText({ path, message, ...issue }: z.core.$ZodIssue): string {
  const what = path.join('.') || 'input';
  return issue.code === 'too_big' && issue.origin === 'string'
    ? `${what} is too long. It may have up to ${issue.maximum.toLocaleString('en')} characters.`
    : `${what}: ${message}`;
}

const NOTHING: CallPlan = { target: '', given: '', stillThere: async () => undefined, text: async () => '' };

async function openUrl(given: string, { http }: AssessContext): Promise<PlannedEffects> {
  const target = checkedUrl(given);
  const access = await withCatalogueTexts(async () => http.access(target, 'GET'));
  return { access: [{ ...access, inBrowser: true }], plan: { ...NOTHING, target } };
}

function checkedUrl(given: string): string {
  try {
    const url = externalUrl(given);
    if (!url.startsWith('mailto:')) return url;
  } catch (error) {
    throw new ToolFailure(`Error: ${error instanceof Error ? error.message : 'The address can’t be opened.'}`);
  }
  throw new ToolFailure('Error: Only http and https addresses can be opened.');
}

/** Shows a path to the user alone. The model learns only that there is such a file or folder. */
async function foundPath(given: string, { files }: AssessContext): Promise<PlannedEffects & { directory: string }> {
  const found = await files.find(given);
  if (found === null) throw new ToolFailure(`Error: Could not find '${given}'`);
  const { real: path, kind, directory } = found;
  const folder = kind === 'directory' ? { isFolder: true as const } : {};
  const stillThere = async () => {
    if (!(await found.leadsThere())) throw new Error(`${given} changed meanwhile. Try again.`);
  };
  return {
    access: [{ kind: 'file', class: 'read', ...folder, path, outsideRoots: false, isForUser: true }],
    plan: { ...NOTHING, target: path, given, stillThere },
    directory,
  };
}

/** Opens a path as the system does it, which may start any program. */
async function openPath(given: string, context: AssessContext): Promise<PlannedEffects> {
  const { plan, directory } = await foundPath(given, context);
  const argv = [openerOf(process.platform), plan.target];
  return {
    access: [{ kind: 'command', class: 'execute', command: { kind: 'argv', argv }, directory, isForUser: true }],
    plan,
  };
}

async function previewFile(given: string, { files, signal }: AssessContext): Promise<PlannedEffects> {
  const file = await files.resolve(given);
  const text = () => orFailure('', given, async () => (await file.readText({ offset: 1, limit: -1 }, { signal })).text);
  return { access: [{ ...file.access('read'), isForUser: true }], plan: { ...NOTHING, given, text } };
}
