import { join } from 'node:path';
import { CachedScripts } from './headless/cached-scripts.ts';

const output = import.meta.dirname;
const scripts = new CachedScripts(join(output, 'code-cache'));
process.once('exit', () => scripts.keep());
scripts.load(join(output, 'ask', 'ask-process.cjs'));
