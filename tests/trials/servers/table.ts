/** A server of somebody else, as it is tried. */
export interface TriedServer {
  readonly package: string;
  readonly version: string;
  /** Which of its programs; absent: the one that is called like the package, or its first. */
  readonly bin?: string;
  /** `{folder}` stands for a folder with a few files. */
  readonly args?: readonly string[];
  /** Placeholders for keys, so that it starts. Nothing here opens anything. */
  readonly env?: Readonly<Record<string, string>>;
  /** Further files of that folder. */
  readonly files?: Readonly<Record<string, string>>;
  /** Three that change nothing; absent: the first of its tools that only read, by their names. */
  readonly calls?: readonly (readonly [tool: string, input: Readonly<Record<string, unknown>>])[];
}

const placeholders = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 'placeholder']));

const GOOGLE_CLIENT = JSON.stringify({
  installed: {
    client_id: 'placeholder',
    client_secret: 'placeholder',
    redirect_uris: ['http://localhost:3000/oauth2callback'],
  },
});

/** Those whose faults are replayed in `stories.ts`, and others whose schemas are hard. */
const REPLAYED: readonly TriedServer[] = [
  {
    package: '@modelcontextprotocol/server-filesystem',
    version: '2026.8.31',
    args: ['{folder}'],
    calls: [
      ['list_directory', { path: '{folder}' }],
      ['read_text_file', { path: '{folder}/note.md' }],
      ['list_allowed_directories', {}],
    ],
  },
  { package: '@notionhq/notion-mcp-server', version: '2.5.2', env: placeholders('NOTION_TOKEN') },
  { package: '@playwright/mcp', version: '0.0.83' },
  { package: 'mcp-server-kubernetes', version: '4.1.7' },
  { package: 'mongodb-mcp-server', version: '3.0.4' },
  {
    package: 'mcp-obsidian',
    version: '1.0.0',
    args: ['{folder}'],
    calls: [
      ['search_notes', { query: 'note' }],
      ['read_notes', { paths: ['note.md'] }],
    ],
  },
  { package: '@sentry/mcp-server', version: '0.39.0', args: ['--access-token=placeholder'] },
  { package: '@postman/postman-mcp-server', version: '2.13.0', args: ['--full'], env: placeholders('POSTMAN_API_KEY') },
  { package: '@zereight/mcp-gitlab', version: '2.1.64', env: placeholders('GITLAB_PERSONAL_ACCESS_TOKEN') },
];

/** Others that people connect: of all sizes, SDKs and ages. */
const OTHERS: readonly TriedServer[] = [
  {
    package: '@modelcontextprotocol/server-everything',
    version: '2026.8.31',
    calls: [
      ['echo', { message: 'Hi' }],
      ['get-sum', { a: 1, b: 2.5 }],
      ['get-structured-content', { location: 'Chicago' }],
    ],
  },
  {
    package: '@modelcontextprotocol/server-memory',
    version: '2026.8.31',
    calls: [
      ['read_graph', {}],
      ['search_nodes', { query: 'Ada' }],
      ['open_nodes', { names: ['Ada'] }],
    ],
  },
  {
    package: '@modelcontextprotocol/server-sequential-thinking',
    version: '2026.8.31',
    calls: [['sequentialthinking', { thought: 'One', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 }]],
  },
  {
    package: '@modelcontextprotocol/server-github',
    version: '2025.4.8',
    env: placeholders('GITHUB_PERSONAL_ACCESS_TOKEN'),
  },
  {
    package: '@modelcontextprotocol/server-gitlab',
    version: '2025.4.25',
    env: placeholders('GITLAB_PERSONAL_ACCESS_TOKEN'),
  },
  {
    package: '@modelcontextprotocol/server-slack',
    version: '2025.4.25',
    env: placeholders('SLACK_BOT_TOKEN', 'SLACK_TEAM_ID'),
  },
  {
    package: '@modelcontextprotocol/server-google-maps',
    version: '0.6.2',
    env: placeholders('GOOGLE_MAPS_API_KEY'),
    calls: [
      ['maps_geocode', { address: 'Lisbon' }],
      ['maps_elevation', { locations: [{ latitude: 1, longitude: 2 }] }],
      ['maps_directions', { origin: 'Lisbon', destination: 'Porto' }],
    ],
  },
  { package: '@modelcontextprotocol/server-postgres', version: '0.6.2', args: ['postgresql://127.0.0.1:9/none'] },
  { package: '@antv/mcp-server-chart', version: '0.9.10' },
  { package: '@brave/brave-search-mcp-server', version: '2.1.4', env: placeholders('BRAVE_API_KEY') },
  { package: '@circleci/mcp-server-circleci', version: '0.20.0' },
  {
    package: '@cloudflare/mcp-server-cloudflare',
    version: '0.2.0',
    args: ['run', '0123456789abcdef0123456789abcdef'],
    env: placeholders('CLOUDFLARE_API_TOKEN'),
  },
  {
    package: '@cocal/google-calendar-mcp',
    version: '2.6.3',
    env: { GOOGLE_OAUTH_CREDENTIALS: '{folder}/oauth.json' },
    files: { 'oauth.json': GOOGLE_CLIENT },
  },
  { package: '@currents/mcp', version: '2.1.1' },
  { package: '@delorenj/mcp-server-trello', version: '1.8.1', env: placeholders('TRELLO_API_KEY', 'TRELLO_TOKEN') },
  {
    package: '@elastic/mcp-server-elasticsearch',
    version: '0.3.1',
    env: { ...placeholders('ES_API_KEY'), ES_URL: 'http://127.0.0.1:9' },
  },
  { package: '@eslint/mcp', version: '0.3.13', calls: [['lint-files', { filePaths: ['{folder}/note.md'] }]] },
  { package: '@h1deya/mcp-server-weather', version: '0.1.3' },
  { package: '@itseasy21/mcp-knowledge-graph', version: '1.0.7' },
  {
    package: '@launchdarkly/mcp-server',
    version: '0.6.2',
    args: ['start', '--api-key', 'api-00000000-0000-0000-0000-000000000000'],
  },
  {
    package: '@line/line-bot-mcp-server',
    version: '0.5.0',
    env: placeholders('CHANNEL_ACCESS_TOKEN', 'DESTINATION_USER_ID'),
  },
  { package: '@mapbox/mcp-server', version: '0.14.0' },
  { package: '@mui/mcp', version: '0.1.6' },
  { package: '@perplexity-ai/mcp-server', version: '1.2.1', env: placeholders('PERPLEXITY_API_KEY') },
  { package: '@roychri/mcp-server-asana', version: '1.8.0', env: placeholders('ASANA_ACCESS_TOKEN') },
  { package: '@shinzolabs/gmail-mcp', version: '1.7.4' },
  { package: '@tacticlaunch/mcp-linear', version: '1.4.3', env: placeholders('LINEAR_API_TOKEN') },
  { package: '@upstash/context7-mcp', version: '4.1.1' },
  { package: '@wonderwhy-er/desktop-commander', version: '0.2.52' },
  { package: 'airtable-mcp-server', version: '1.14.0', env: placeholders('AIRTABLE_API_KEY') },
  { package: 'chrome-devtools-mcp', version: '1.11.0' },
  { package: 'exa-mcp-server', version: '3.4.1', env: placeholders('EXA_API_KEY') },
  { package: 'figma-developer-mcp', version: '0.13.2', args: ['--stdio'], env: placeholders('FIGMA_API_KEY') },
  { package: 'firecrawl-mcp', version: '3.26.0', env: placeholders('FIRECRAWL_API_KEY') },
  { package: 'mcp-fetch-server', version: '1.1.2' },
  {
    package: 'mcp-mermaid',
    version: '0.4.1',
    calls: [['generate_mermaid_diagram', { mermaid: 'graph TD; A-->B', outputType: 'mermaid' }]],
  },
  { package: 'mcp-searxng', version: '2.4.0' },
  { package: 'mcp-server-commands', version: '0.5.0' },
  { package: 'nx-mcp', version: '0.25.0', args: ['{folder}'] },
  { package: 'tavily-mcp', version: '0.2.22', env: placeholders('TAVILY_API_KEY') },
  {
    package: 'time-mcp',
    version: '1.0.6',
    calls: [
      ['days_in_month', { date: '2024-02-01' }],
      ['get_week_year', { date: '2026-11-24' }],
      ['current_time', { format: 'YYYY-MM-DD', timezone: 'UTC' }],
    ],
  },
  { package: 'todoist-mcp', version: '1.3.4', env: placeholders('API_KEY', 'TODOIST_API_TOKEN') },
];

export const SERVERS: readonly TriedServer[] = [...REPLAYED, ...OTHERS];
