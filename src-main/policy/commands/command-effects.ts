import { isAbsolute } from 'node:path';
import type { Consequence } from '../../../src-preload/contract/consequence.ts';
import type { GivenCommand } from './command-line.ts';
import { programNames } from './command-words.ts';
import * as table from './effect-tables.ts';
import { allSteps, exactWord, type LooseStep, type LooseWord, readLooseLine } from './loose-line.ts';
import * as program from './program-effects.ts';
import { readsOf } from './reading/reads-of.ts';
import { type EffectsPlace, TouchedPaths } from './touched-paths.ts';
import { BudgetSpent, WorkBudget } from './work-budget.ts';

/** `step` is the index of the step that causes the effect. */
export interface CommandEffect {
  readonly consequence: Consequence;
  readonly step: number;
}

export interface CommandEffects {
  readonly effects: readonly CommandEffect[];
  /** The position in the line at which each step ends, in UTF-16 units. Empty for a command without a shell. */
  readonly stepEnds: readonly number[];
  /** Whether all of the command was looked at. */
  readonly isWhole: boolean;
  /** Something of it may run on after it has ended. */
  readonly goesOn: boolean;
}

/**
 * The consequences of a command, from tables of programs and from where its paths lead. They are a warning, not a
 * barrier: it can be evaded, and it reports effects it does not know as unknown. If a path could be one of several, the
 * worst counts.
 */
export function commandEffects(
  { command, directory }: { readonly command: GivenCommand; readonly directory: string },
  place: EffectsPlace,
  platform: NodeJS.Platform = process.platform,
): CommandEffects {
  const walk = new EffectWalk(new TouchedPaths(directory, place), platform);
  if (command.kind === 'argv') {
    const words = command.argv.map(exactWord);
    const isWhole = walk.withinBudget(() => walk.command({ words, isPiped: false, isFed: false }, 0));
    return { effects: walk.effects, stepEnds: [], isWhole, goesOn: walk.goesOn };
  }
  // cmd.exe parses lines differently: for it only words that delete are recognised.
  if (platform === 'win32') {
    walk.windowsLine(command.line);
    return { effects: walk.effects, stepEnds: [command.line.length], isWhole: true, goesOn: walk.goesOn };
  }
  const isWhole = walk.withinBudget(() => walk.line(command.line));
  const stepEnds = readLooseLine(command.line).steps.map(({ end }) => end);
  return { effects: walk.effects, stepEnds, isWhole, goesOn: walk.goesOn };
}

/** Whether all of a command is looked at. The answer does not depend on where it would run. */
export function isJudgedWhole(command: GivenCommand, platform: NodeJS.Platform = process.platform): boolean {
  const place = { realWorkspace: '/', home: '/', realPath: (path: string) => path, isInsideRoots: () => true };
  return commandEffects({ command, directory: '/' }, place, platform).isWhole;
}

const MAX_DEPTH = 8;
/**
 * The number of commands that are looked at, counted together with their words. Lines that people write need about a
 * hundredth of this.
 */
const MAX_STEPS = 100_000;
/** The steps that a command or line takes besides its words, mostly for resolving its paths. */
const COMMAND_STEPS = 20;
const CHARACTERS_IN_A_STEP = 10;
const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*\+?=/;
/** Matches an operand of a wrapper that is not a program: an option, a number, a duration. */
const NO_PROGRAM = /^(?:-.*|\d+(?:\.\d+)?[smhd]?|)$/;
const EXECUTES = /^(?:-exec|-execdir|-ok|-okdir|-x|-X|--exec|--exec-batch)$/;

interface Command {
  readonly words: readonly LooseWord[];
  /** The input of the command is the output of another command. */
  readonly isPiped: boolean;
  /** The input of the command contains downloaded data. */
  readonly isFed: boolean;
}

/** A command, given by the names of its program and its arguments. */
interface Call extends Omit<Command, 'words'> {
  readonly program: string;
  readonly names: readonly string[];
  readonly operands: readonly LooseWord[];
  readonly depth: number;
}

class EffectWalk {
  readonly effects: CommandEffect[] = [];
  goesOn = false;
  readonly #paths: TouchedPaths;
  readonly #platform: NodeJS.Platform;
  #step = 0;
  #hasFetched = false;
  #depth = 0;
  readonly #budget = new WorkBudget(MAX_STEPS);

  constructor(paths: TouchedPaths, platform: NodeJS.Platform) {
    this.#paths = paths;
    this.#platform = platform;
  }

  /** Returns false if the work took more than the budget; the rest is then unknown. */
  withinBudget(work: () => void): boolean {
    try {
      work();
      return true;
    } catch (error) {
      if (!(error instanceof BudgetSpent)) throw error;
      this.#add(program.UNKNOWN);
      return false;
    }
  }

  line(line: string): void {
    this.#budget.spend(COMMAND_STEPS + Math.ceil(line.length / CHARACTERS_IN_A_STEP));
    this.#depth += 1;
    const { steps, isWhole, hasBackground } = readLooseLine(line);
    // What wasn't read may end with `&`.
    this.goesOn ||= hasBackground || (!isWhole && line.includes('&'));
    if (!isWhole || this.#depth > MAX_DEPTH) this.#add(program.UNKNOWN);
    if (this.#depth <= MAX_DEPTH) this.#steps(steps, this.#depth === 1);
    this.#depth -= 1;
  }

  windowsLine(line: string): void {
    const names = line.split(/[\s&|()]+/).flatMap(programNames);
    if (names.some((name) => table.DISKS.has(name))) this.#add({ code: 'writes_disks' });
    if (names.some((name) => table.DELETES.has(name))) this.#add({ code: 'deletes_unknown_files' });
    this.#add(program.UNKNOWN);
  }

  command({ words, isPiped, isFed }: Command, depth: number): void {
    this.#budget.spend(COMMAND_STEPS + words.length);
    const start = words.findIndex((word) => !isBeforeProgram(word));
    const [first, ...operands] = start === -1 ? [] : words.slice(start);
    // An assignment before the program can change what runs: `PATH=./bin ls`, `LD_PRELOAD=./x.so ls`, `GIT_SSH=./x git
    // fetch`.
    if (words.slice(0, start === -1 ? undefined : start).some(({ text }) => ASSIGNMENT.test(text)))
      this.#add(program.UNKNOWN);
    if (first === undefined) return;
    if (!first.isExact || first.text === '' || depth > MAX_DEPTH) this.#add(program.UNKNOWN);
    else {
      const isPath = first.text.includes('/') && !isSystemPath(first.text);
      if (isPath && this.#hasFetched) this.#add({ code: 'runs_script_from_internet' });
      this.#call({ program: first.text, names: programNames(first.text), operands, isPiped, isFed, depth }, isPath);
    }
  }

  #call(call: Call, isPath: boolean): void {
    const { names, operands } = call;
    const is = (set: ReadonlySet<string>) => names.some((name) => set.has(name));
    if (names.some((name) => table.SYNTAX.has(name))) return;
    if (is(table.HARMLESS) && !isPath) {
      this.#harmless(call);
      return;
    }
    if (!isPath && readsOnly(call, this.#platform)) return;
    this.#add(program.UNKNOWN);
    if (is(table.POWER) || is(table.WRAPPERS)) {
      if (is(table.POWER)) this.#add({ code: 'runs_as_other_user' });
      if (is(table.DETACHES)) this.goesOn = true;
      this.#wrapped(call, is(table.TAKES_FILES_FROM_INPUT));
    } else if (is(table.SHELLS) || is(table.INTERPRETERS)) this.#interpreted(call, is(table.SHELLS));
    else if (is(table.EVALUATES)) this.#evaluated(operands);
    else if (names.includes('find') || names.includes('fd')) this.#found(call);
    else this.#add(...this.#simple(call, is));
  }

  #simple({ names, operands }: Call, is: (set: ReadonlySet<string>) => boolean): readonly Consequence[] {
    const paths = this.#paths;
    if (is(table.DELETES)) return program.deletionEffects(operands, names.includes('truncate'), paths);
    if (is(table.DISKS) || names.some((name) => name.startsWith('mkfs'))) return [{ code: 'writes_disks' }];
    if (is(table.CHANGES_OPERANDS)) {
      const files = operands.filter(program.isOperand).slice(is(table.FIRST_IS_NO_FILE) ? 1 : 0);
      return program.changeEffects(files, paths);
    }
    if (is(table.CHANGES_LAST_OPERAND))
      return program.changeEffects(operands.filter(program.isOperand).slice(-1), paths);
    if (is(table.FETCHES)) return program.fetchEffects(operands, paths);
    if (is(table.SENDS_FILES)) return program.sendEffects(names, operands, paths);
    if (is(table.MAILS)) return program.mailEffects(operands);
    if (is(table.ENDS_PROCESSES)) return [{ code: 'ends_processes' }];
    if (is(table.SYSTEM)) return [{ code: 'changes_system' }];
    if (names.includes('git')) return program.gitEffects(operands, paths);
    if (names.includes('dd')) return program.ddEffects(operands, paths);
    if (names.includes('sed')) return program.sedEffects(operands, paths);
    return program.packageEffects(names, operands);
  }

  #steps(steps: readonly LooseStep[], isOuter: boolean): void {
    let isFed = false;
    for (const [index, step] of steps.entries()) {
      if (isOuter) this.#step = index;
      const { words, redirections, operator } = step;
      const isPiped = operator === '|' || operator === '|&';
      isFed &&= isPiped;
      this.command({ words, isPiped, isFed }, 0);
      for (const each of redirections)
        this.#add(...program.redirectionEffects(each.operator, each.target, this.#paths));
      for (const { inner } of [...words, ...redirections.map(({ target }) => target)])
        if (inner.length > 0) this.#steps(inner, false);
      const fetches = fetchesIn([step]);
      isFed ||= fetches;
      this.#hasFetched ||= fetches;
    }
  }

  #add(...consequences: readonly Consequence[]): void {
    for (const consequence of consequences) {
      this.effects.push({ consequence, step: this.#step });
      if (consequence.code === 'writes_disks')
        this.effects.push({ consequence: { code: 'cannot_be_undone' }, step: this.#step });
    }
  }

  #harmless({ names, operands }: Call): void {
    if (!names.includes('cd') && !names.includes('pushd')) return;
    const folder = operands.find(program.isOperand);
    if (folder !== undefined || operands.length === 0) this.#paths.enter(folder);
    else this.#paths.enter({ ...exactWord('-') });
  }

  /**
   * Where a wrapper's options end isn't known for every wrapper, so the first operand is taken for the program, and
   * each later one that is a relevant program as well: in `sudo -u root rm x`, the first is `root`, and `rm` runs.
   */
  #wrapped({ operands, isFed, isPiped, depth }: Call, takesFiles: boolean): void {
    const isNoProgram = ({ text, isExact }: LooseWord) => isExact && (NO_PROGRAM.test(text) || ASSIGNMENT.test(text));
    const first = operands.findIndex((word) => !isNoProgram(word));
    if (first === -1) return;
    for (const [at, word] of operands.entries()) {
      if (/\s/.test(word.text)) this.line(word.text);
      if (at !== first && !(at > first && matters(word))) continue;
      this.#budget.spend(operands.length - at);
      const files = takesFiles && matters(word) ? [{ ...exactWord('{}'), isExact: false }] : [];
      this.command({ words: [...operands.slice(at), ...files], isPiped, isFed }, depth + 1);
    }
  }

  #interpreted({ names, operands, isFed }: Call, isShell: boolean): void {
    if (names.includes('python') && operands[0]?.text === '-m' && operands[1]?.text === 'pip') {
      this.#add(...program.packageEffects(['pip'], operands.slice(2)));
      return;
    }
    const takesCode = isShell ? /^-[abd-z]*c[a-z]*$/ : /^-[a-zA-Z]*[ceprE]$|^--(?:eval|print)$/;
    const codeAt = operands.findIndex(({ text }) => takesCode.test(text));
    const code = codeAt === -1 ? undefined : operands[codeAt + 1];
    const file = operands.find(program.isOperand);
    const readsInput =
      file === undefined || operands.some(({ text }) => text === '-s' || text === '-' || text === '/dev/stdin');
    const isOfFetch = operands.some(({ inner }) => fetchesIn(inner)) || (isFed && readsInput);
    const mayBeOfFetch = this.#hasFetched && code === undefined && file !== undefined;
    if (isOfFetch || mayBeOfFetch) this.#add({ code: 'runs_script_from_internet' });
    if (isShell && code !== undefined) this.line(code.text);
  }

  #evaluated(operands: readonly LooseWord[]): void {
    const isOfFetch = this.#hasFetched || operands.some(({ inner }) => fetchesIn(inner));
    if (isOfFetch) this.#add({ code: 'runs_script_from_internet' });
    else this.line(operands.map(({ text }) => text).join(' '));
  }

  #found({ operands, depth }: Call): void {
    const firstTest = operands.findIndex(({ text }) => /^[-(!]/.test(text) && !/^-[HLPO]/.test(text));
    const starts = (firstTest === -1 ? operands : operands.slice(0, firstTest)).filter(program.isOperand);
    const folders = starts.length === 0 ? [exactWord('.')] : starts;
    const has = (option: RegExp) => operands.some(({ text }) => option.test(text));
    if (has(/^-delete$/)) {
      for (const folder of folders) this.#add(...program.deletionEffect(this.#paths.deletionBelow(folder)));
      // It goes where links lead.
      if (has(/^-(?:L|follow)$/)) this.#add({ code: 'cannot_be_undone' });
    }
    if (has(/^-f(?:print|ls)/)) this.#add({ code: 'changes_files' });
    for (const [at, { text }] of operands.entries()) {
      if (!EXECUTES.test(text)) continue;
      this.#budget.spend(operands.length - at);
      const behind = operands.slice(at + 1);
      const end = behind.findIndex((word) => word.text === ';' || word.text === '+');
      const command = end === -1 ? behind : behind.slice(0, end);
      for (const folder of folders) {
        this.#budget.spend(command.length);
        const found = { ...folder, text: `${folder.text}/{}` };
        const words = command.map((word) => (word.text === '{}' ? found : word));
        this.command({ words, isPiped: false, isFed: false }, depth + 1);
      }
    }
  }
}

function isBeforeProgram({ text, isQuoted }: LooseWord): boolean {
  return (!isQuoted && table.RESERVED.has(text)) || ASSIGNMENT.test(text);
}

/**
 * Whether the option tables of reading commands know all of the call. A variable or a pattern may become an option:
 * `sort *`, where a file is named `-oa`.
 */
function readsOnly({ program, operands }: Call, platform: NodeJS.Platform): boolean {
  const isFixed = operands.every(({ text, isExact }) => isExact && !/^[*?[]/.test(text));
  const name = program.split('/').at(-1) ?? '';
  return (
    isFixed &&
    readsOf(
      name,
      operands.map(({ text }) => text),
      platform,
    ) !== null
  );
}

function isSystemPath(path: string): boolean {
  return isAbsolute(path) && /^\/(?:usr\/(?:local\/)?)?s?bin\/[^/]+$/.test(path);
}

function fetchesIn(steps: readonly LooseStep[]): boolean {
  return allSteps(steps).some(({ words }) =>
    words.some(({ text }) => programNames(text).some((name) => table.FETCHES.has(name))),
  );
}

const MATTERS = [
  table.DELETES,
  table.DISKS,
  table.POWER,
  table.SHELLS,
  table.SENDS_FILES,
  table.SYSTEM,
  table.WRAPPERS,
];

/** Whether this is a program that must be reported wherever it appears. */
function matters({ text }: LooseWord): boolean {
  return programNames(text).some(
    (name) => MATTERS.some((each) => each.has(name)) || name === 'git' || name === 'find' || name === 'dd',
  );
}
