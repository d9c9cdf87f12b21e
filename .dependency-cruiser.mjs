// The import rules of this project, checked by `npm run check`. Each rule has a failing example in
// tests/fixtures/import-rules/. They apply to type-only imports too: knowing a type is a dependency.
import { seeTypeImportsOfComponents } from './scripts/component-type-imports.mjs';

seeTypeImportsOfComponents();

/** General code: imports none of our rooms, and every room may use it. */
const BASE = ['base'];
/** The rooms directly above it. */
const LOWEST = ['secrets', 'storage', 'settings', 'network', 'processes', 'sandbox', ...BASE];
const BELOW_ASSISTANT = ['accounts', 'checkpoints', ...LOWEST];
const BELOW_EDGES = ['assistant', 'policy', 'models', 'tools', 'client-tools', 'mcp', ...BELOW_ASSISTANT];

/** Room of src-main → the other rooms it may import from. Only rooms listed here exist. */
export const ROOMS = {
  base: [],
  storage: BASE,
  settings: BASE,
  secrets: BASE,
  network: BASE,
  processes: ['secrets', ...BASE],
  sandbox: BASE,
  // Its databases are opened as those of the profile are.
  checkpoints: ['storage', ...BASE],
  accounts: ['secrets', 'network', ...BASE],
  policy: BELOW_ASSISTANT,
  models: BELOW_ASSISTANT,
  tools: ['policy', ...BELOW_ASSISTANT],
  'client-tools': BELOW_ASSISTANT,
  mcp: BELOW_ASSISTANT,
  assistant: ['policy', 'models', 'tools', 'client-tools', 'mcp', ...BELOW_ASSISTANT],
  background: ['policy', 'tools', ...BELOW_ASSISTANT],
  services: ['background', ...BELOW_EDGES],
  diagnostics: BELOW_EDGES,
  headless: ['diagnostics', ...BELOW_EDGES],
  ipc: ['diagnostics', ...BELOW_EDGES],
  desktop: ['diagnostics', ...BELOW_EDGES],
};

/** Single files that a room may import although it may not import the rest of their room. */
const SHARED_FILES = {
  // A client's tools join those of the registry in one toolset.
  'client-tools': ['^src-main/tools/(contract|define-tool)[.]ts$', '^src-main/tools/registry/'],
  // The policy classifies a server's tools; the gate and its inputs are not accessible.
  mcp: ['^src-main/tools/contract[.]ts$', '^src-main/policy/mcp/'],
  diagnostics: ['^src-main/services[.]ts$'],
  headless: ['^src-main/services[.]ts$'],
  ipc: ['^src-main/services[.]ts$'],
  desktop: ['^src-main/services[.]ts$'],
};

const BELOW_SCREENS = ['tool-cards', 'conversation', 'ui'];

/** Room of src-renderer → the other rooms it may import from. Screens do not import each other; `app` shows them. */
export const RENDERER_ROOMS = {
  ui: [],
  conversation: ['ui'],
  'tool-cards': ['conversation', 'ui'],
  chat: BELOW_SCREENS,
  settings: BELOW_SCREENS,
  'first-run': BELOW_SCREENS,
  // A separate page: the surface where a user answers shares only plain components with the chat.
  consent: ['ui'],
  app: ['chat', 'settings', 'first-run', ...BELOW_SCREENS],
};

/**
 * Room within chat/ → the others that it may import from. Shared modules are in chat/ itself and are not components.
 */
const CHAT_ROOMS = { composer: [], thread: ['markdown'], markdown: [] };

/** Single files of src-renderer that a room may import although it may not import the rest of their room. */
const RENDERER_SHARED_FILES = {
  // The first run changes the same settings, takes the same key, adds a provider with the same form and shows the same
  // errors.
  'first-run': [
    '^src-renderer/settings/(settings-store[.]svelte|key-form[.]svelte|key-texts)[.]ts$',
    '^src-renderer/settings/RefusalNotice[.]svelte$',
    '^src-renderer/settings/models/(ProviderEditor[.]svelte|(provider-draft|providers-store)[.]svelte[.]ts|provider-texts[.]ts)$',
  ],
};

/** Entry points of processes and threads. */
const ENTRIES = ['^src-main/(main|ask|ask-process|terminal)[.]ts$', '^src-main/.+[-.]worker[.]ts$'];
const ELECTRON = '^electron(/|$)|(^|/)node_modules/electron/';
/**
 * Apps for a bare Electron: the missing default app, one for testing the harness, and those that benchmarks compare
 * with.
 */
const ELECTRON_APPS_OF_THEIR_OWN =
  '^(scripts/electron-default-app/|tests/fixtures/dummy-app/|tests/bench/(blank-window/|window-probe[.]mjs))';
const FALLBACK_SQLITE = '(^|/)node_modules/@photostructure/sqlite/';

/** Composition is a file and a room of the same name: one rule for both. */
const COMPOSITION = 'services';

const roomRules = Object.entries(ROOMS)
  .filter(([room]) => room !== COMPOSITION)
  .map(([room, others]) => ({
    name: `direction-${room}`,
    comment: `src-main/${room} may import from: ${[room, ...others].join(', ')}. What it needs from above comes in as a port.`,
    severity: 'error',
    from: { path: `^src-main/${room}/` },
    to: { path: '^src-main/', pathNot: [`^src-main/(${[room, ...others].join('|')})/`, ...(SHARED_FILES[room] ?? [])] },
  }));

const rendererRules = Object.entries(RENDERER_ROOMS).map(([room, others]) => ({
  name: `renderer-direction-${room}`,
  comment: `src-renderer/${room} may import from: ${[room, ...others].join(', ')}. What it needs from above comes in as a port or a property.`,
  severity: 'error',
  from: { path: `^src-renderer/${room}/` },
  to: {
    path: '^src-renderer/',
    pathNot: [`^src-renderer/(${[room, ...others].join('|')})/`, ...(RENDERER_SHARED_FILES[room] ?? [])],
  },
}));

const chatRules = Object.entries(CHAT_ROOMS).map(([room, others]) => ({
  name: `renderer-direction-chat-${room}`,
  comment: `src-renderer/chat/${room} may import from: ${[room, ...others].join(', ')}, and modules of chat/ itself.`,
  severity: 'error',
  from: { path: `^src-renderer/chat/${room}/` },
  to: {
    path: '^src-renderer/chat/',
    pathNot: [`^src-renderer/chat/(${[room, ...others].join('|')})/`, '^src-renderer/chat/[^/]+[.]ts$'],
  },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
const configuration = {
  forbidden: [
    {
      name: 'no-cycles',
      comment:
        'Two modules that need each other are one module, or lack a third that both can stand on. Only a component may contain itself: a list in a list is drawn by the same component.',
      severity: 'error',
      // `$1` is the component; it is empty if the module is not a component.
      from: { path: '^(?:(.+[.]svelte)|.+)$' },
      to: { circular: true, pathNot: '^$1$' },
    },
    {
      name: 'no-dead-code',
      comment: 'Neither main.ts nor ask.ts nor a worker leads here: only tests could use it.',
      severity: 'error',
      from: { path: ENTRIES },
      to: { path: '^src-main/', pathNot: ENTRIES, reachable: false },
    },
    {
      name: 'no-orphans',
      comment: 'Nothing imports this module and it imports nothing: dead code.',
      severity: 'error',
      from: { orphan: true, path: '^src-(main|preload|renderer)/', pathNot: '[.](d[.]ts|config[.]js)$' },
      to: {},
    },
    ...roomRules,
    ...rendererRules,
    ...chatRules,
    {
      name: 'direction-services',
      comment:
        'services.ts composes, from its parts in services/, the assistant and what stands below it; windows, IPC and the terminal stand above.',
      severity: 'error',
      from: { path: `^src-main/${COMPOSITION}([.]ts$|/)` },
      to: { path: '^src-main/', pathNot: `^src-main/(${[COMPOSITION, ...ROOMS[COMPOSITION]].join('|')})/` },
    },
    {
      name: 'entry-points-are-not-imported',
      comment: 'main.ts and ask.ts start a process when they are loaded.',
      severity: 'error',
      from: {},
      to: { path: '^src-main/(main|ask|ask-process)[.]ts$' },
    },
    {
      name: 'electron-only-in-desktop',
      comment:
        'Everything else receives a small Desktop port, so the whole assistant runs under plain Node. A preload (never the contract) cannot do its work without electron.',
      severity: 'error',
      from: { pathNot: ['^src-main/desktop/', '^src-preload/[^/]+[.]ts$', ELECTRON_APPS_OF_THEIR_OWN] },
      to: { path: ELECTRON },
    },
    {
      name: 'main-knows-only-the-contract',
      comment: 'The main process shares the contract with the other two, and nothing else.',
      severity: 'error',
      from: { path: '^src-main/' },
      to: { path: '^src-(preload|renderer)/', pathNot: '^src-preload/contract/' },
    },
    {
      name: 'contract-imports-only-zod',
      comment: 'The contract is loaded by three kinds of process, so it has no code with effects.',
      severity: 'error',
      from: { path: '^src-preload/contract/' },
      to: { pathNot: ['^src-preload/contract/', '(^|/)node_modules/zod/'] },
    },
    {
      name: 'preload-knows-only-the-contract',
      comment: 'A preload hands a part of the contract to its page. Node built-ins do not exist in the sandbox.',
      severity: 'error',
      from: { path: '^src-preload/[^/]+[.]ts$' },
      to: { pathNot: ['^src-preload/(contract/|bridge[.]ts$)', ELECTRON] },
    },
    {
      name: 'renderer-knows-only-the-contract',
      comment: 'The renderer talks to main over typed IPC; it never holds main code, and no preload code.',
      severity: 'error',
      from: { path: '^src-renderer/' },
      to: { path: '^src-(main|preload)/', pathNot: '^src-preload/contract/' },
    },
    {
      name: 'renderer-without-node',
      comment: 'The renderer is sandboxed: there is no Node in it.',
      severity: 'error',
      from: { path: '^src-renderer/' },
      to: { dependencyTypes: ['core'], pathNot: ELECTRON },
    },
    {
      name: 'bundled-servers-stand-alone',
      comment: 'A bundled server is a process of its own, as anybody could have written it.',
      severity: 'error',
      from: { path: '^resources/' },
      to: { path: '^(src-(main|preload|renderer)|tests)/' },
    },
    {
      name: 'bundled-servers-are-started',
      comment: 'The app knows what a bundled server lists; its code runs in a process of its own.',
      severity: 'error',
      from: { path: '^src-(main|preload|renderer)/' },
      to: { path: '^resources/', pathNot: '^resources/[^/]+/definitions[.]ts$' },
    },
    {
      name: 'product-without-tests',
      comment: 'The product does not know its tests.',
      severity: 'error',
      from: { path: '^src-(main|preload|renderer)/' },
      to: { path: '^tests/' },
    },
    {
      name: 'product-without-dev-dependencies',
      comment:
        'A devDependency is not there when the product runs; its types need not be. Electron is the runtime itself; pages are bundled whole.',
      severity: 'error',
      from: { path: '^(src-(main|preload)|resources)/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: [ELECTRON, FALLBACK_SQLITE] },
    },
    {
      name: 'declared-dependencies',
      comment: 'A package that package.json does not name is there by accident.',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'sqlite-in-one-file',
      comment: 'base/sqlite.ts alone picks between node:sqlite and its fallback.',
      severity: 'error',
      from: { path: '^src-', pathNot: '^src-main/base/sqlite[.]ts$' },
      to: { path: ['^(node:)?sqlite$', FALLBACK_SQLITE] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(tests/fixtures/import-rules|out)/' },
    tsPreCompilationDeps: true,
    detectJSDocImports: true,
    builtInModules: {
      add: ['electron', 'electron/main', 'electron/common', 'electron/renderer', 'sqlite', 'node:sqlite'],
    },
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types', 'typings'],
    },
  },
};

// biome-ignore lint/style/noDefaultExport: dependency-cruiser reads the default export of its configuration
export default configuration;
