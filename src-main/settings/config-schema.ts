import { z } from 'zod';
import { serverNameProblem } from '../../src-preload/contract/outside-names.ts';
import { ownRecord } from '../../src-preload/contract/own-record.ts';
import { providerNameProblem } from '../../src-preload/contract/provider-name.ts';
import { lookAlikesOf } from '../base/look-alikes.ts';
import { clientTools } from './client-tools-schema.ts';
import { baseUrl, type serviceNames, vendorBaseUrls } from './endpoints.ts';
import { prices } from './price-schema.ts';
import { checked, folder, serviceUrl, text } from './schema-parts.ts';
import { BUNDLED_SERVER_NAME } from './spelling.ts';

/** Source of every key: design section 7; `mcpServers`: tool catalogue C.2; `clientTools`: D.1. */

const looksLikeOurs = lookAlikesOf(() => ['Steward', BUNDLED_SERVER_NAME]);
/** What it is called is shown before the names of its tools. */
const isLikeOurs = (name: string) => name !== BUNDLED_SERVER_NAME && looksLikeOurs(name);
const LIKE_OURS = 'It looks like a name of Steward’s own. Use another name.';
const environmentName = /^[^=\0]+$/;
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

const provider = z.object({
  type: z
    .enum(['anthropic', 'openai', 'gemini', 'ollama'])
    .meta({ description: 'Which API the service uses.', expected: 'one of anthropic, openai, gemini, ollama' }),
  model: text.meta({ description: 'Model id as the service knows it.', expected: 'a model id' }),
  baseUrl: serviceUrl
    .optional()
    .meta({ description: 'Where the service is, if not at its vendor. Takes effect once you have confirmed it.' }),
  apiVersion: text.optional().meta({
    description: 'Azure OpenAI: the version of its API. `baseUrl` is then the resource, and `model` the deployment.',
    expected: 'a version like 2025-04-01-preview',
  }),
  api: z.enum(['chat', 'responses']).optional().meta({
    description:
      'openai: which API is used, Chat Completions or Responses. Left out: Responses at OpenAI and Azure for models that need it, else Chat Completions.',
    expected: 'chat or responses',
  }),
  maxTokens: z
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .meta({ description: 'The most tokens of one answer.', expected: 'a whole number from 1' }),
  temperature: z.number().min(0).max(2).optional().meta({
    description: 'How much answers vary. Reasoning models don’t support it.',
    expected: 'a number from 0 to 2',
  }),
  effort: z.enum(['none', 'low', 'medium', 'high', 'max']).optional().meta({
    description: 'How much the model thinks before it answers, where that can be chosen.',
    expected: 'one of none, low, medium, high, max',
  }),
  contextTokens: z.int().min(1_000).max(10_000_000).optional().meta({
    description:
      'The context window in tokens, where the service does not tell. Ollama: what its models are started with (`num_ctx`); its own default is too small for a list of tools.',
    expected: 'a whole number from 1000',
  }),
  description: z.string().max(500).optional().meta({
    description: 'What this model is good at, for other models that may ask it (`ask_{provider}`).',
    expected: 'a text of up to 500 characters',
  }),
});

const oauth = z.object({
  clientId: text.optional().meta({ description: 'The id that the service knows Steward by.' }),
  clientSecret: text.optional().meta({ description: 'Its secret; better kept in the keychain.' }),
  scopes: z
    .array(text)
    .optional()
    .meta({ description: 'What is asked for, instead of what the server names.', expected: 'a list of texts' }),
  callbackPort: z
    .int()
    .min(1)
    .max(65_535)
    .optional()
    .meta({ description: 'The port on this machine that signing in comes back to.', expected: 'a port' }),
  clientMetadataUrl: serviceUrl.optional().meta({ description: 'A client id metadata document of yours.' }),
});

const mcpServer = z
  .object({
    transport: z.enum(['stdio', 'http', 'sse', 'bundled']).meta({
      description:
        '`stdio` starts a program, `http` (or `streamable-http`) speaks to a URL, `sse` does so in the way of old servers; `bundled` is the server of that name that comes with Steward. May also be called `type`. Left out with `url` and no `command`: `http`, else `stdio`; of `system-info` without both: `bundled`.',
      expected: 'one of stdio, http, streamable-http, sse',
    }),
    command: z
      .string()
      .min(1)
      .refine((value) => !value.includes('\0'))
      .optional()
      .meta({ description: 'stdio: the program to start.', expected: 'the name or path of a program' }),
    args: z
      .array(z.string().refine((value) => !value.includes('\0'), 'holds a NUL character'))
      .default([])
      .meta({
        description:
          // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how people write it in config.json
          'stdio: its arguments, passed as they are, without a shell. `${keychain:NAME}` works here as in `env`, but other programs of this computer can read the arguments of a running program.',
        expected: 'a list of texts',
      }),
    env: ownRecord(
      z.string().refine((value) => !value.includes('\0'), 'holds a NUL character'),
      (name) => environmentName.test(name),
    )
      .default({})
      .meta({
        description:
          // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how people write it in config.json
          "stdio: added to the child's environment. `${keychain:NAME}` stands for the keychain entry `Steward/mcp/{server}/NAME`.",
        expected: 'an object of texts',
      }),
    url: checked((value) => {
      const written = value.trim();
      const result = baseUrl(written.replace(/^([^?]*)\?[^#\s]*$/, '$1'));
      return 'url' in result ? { value: written } : result;
    })
      .optional()
      .meta({ description: 'http, sse: the endpoint.', expected: 'an http or https URL' }),
    headers: ownRecord(
      z.string().refine((value) => !/[\r\n\0]/.test(value), 'holds a line break'),
      (name) => headerName.test(name),
    )
      .default({})
      .meta({
        description:
          'http, sse: sent with every request to the server. Values may come from the keychain, as in `env`.',
        expected: 'an object of texts',
      }),
    oauth: oauth.optional().meta({
      description:
        // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how people write it in config.json
        'http: how Steward signs in where the server does not say it all: `clientId` and `clientSecret` of a registration of yours, `scopes` (a list) instead of those that the server names, `callbackPort` on this machine that the browser comes back to, `clientMetadataUrl` of a client id metadata document of yours. `${keychain:NAME}` works here as in `env` and `headers`.',
      expected: 'an object',
    }),
    enabled: z.boolean().optional().meta({
      description: '`false`: it is kept here and not started, and its tools are not offered. Left out: it is used.',
      expected: 'true or false',
    }),
    start: z.enum(['eager', 'lazy']).optional().meta({
      description:
        '`eager` (the default) starts it with Steward, `lazy` at its first call; as long as its tools are not known, it is started once to list them.',
      expected: 'eager or lazy',
    }),
    timeoutSeconds: z.number().positive().max(86_400).optional().meta({
      description:
        'How long a call may take without a sign of progress; default 60. It stands still while the server waits for an answer of yours.',
      expected: 'seconds, more than 0',
    }),
    classes: z
      .record(z.string().min(1).max(256), z.enum(['read', 'write', 'send']))
      .optional()
      .meta({
        description:
          'What its tools do, by the name that the server gives them: `read` runs without asking, `write` asks, `send` always asks. Takes effect once you have confirmed it.',
        expected: 'an object of read, write or send',
      }),
    roots: z.boolean().optional().meta({
      description:
        'Whether the server is told which folders Steward works in (MCP roots). Left out: a server on this machine is, one behind a URL is not. Some servers take them for their own limits: `server-filesystem` then forgets the folders in its `args`, and needs `false` to keep them. `true` for a server behind a URL takes effect once you have confirmed it.',
      expected: 'true or false',
    }),
    text: z.enum(['outside', 'public', 'own']).optional().meta({
      description:
        'Whose text it brings: of strangers and private (`outside`, the default), `public`, or only your `own`. Takes effect once you have confirmed it.',
      expected: 'one of outside, public, own',
    }),
  })
  .superRefine((server, context) => {
    if (server.transport === 'stdio' && server.command === undefined)
      context.addIssue({ code: 'custom', path: ['command'], message: 'is missing, and transport is stdio' });
    if ((server.transport === 'http' || server.transport === 'sse') && server.url === undefined)
      context.addIssue({ code: 'custom', path: ['url'], message: `is missing, and transport is ${server.transport}` });
  });

const tools = z.object({
  disabled: z
    .array(text)
    .default([])
    .meta({
      description: 'Tools that no model is offered and that are refused if called. `*` and `?` are wildcards.',
      expected: 'a list of tool names',
      examples: [['bash', 'gmail_*']],
    }),
  disabledSkills: z
    .array(text)
    .default([])
    .meta({
      description:
        'Skills from files that no model is offered. They are not in `disabled`, so that a skill named like a tool does not switch it.',
      expected: 'a list of skill names',
      examples: [['release-notes']],
    }),
  collapsed: z
    .array(text)
    .default([])
    .meta({
      description:
        'Groups of tools that a model is offered as one tool until it opens them, to save tokens: a category of built-in tools, or `mcp:` and the name of a server. `*` and `?` are wildcards.',
      expected: 'a list of groups',
      examples: [['memory', 'mcp:tracker']],
    }),
  profile: z
    .enum(['all', 'lean'])
    .default('all')
    .meta({ description: '`lean` offers models only the tools that most tasks need.', expected: 'all or lean' }),
  maxResultChars: z.int().min(0).default(40_000).meta({
    description: 'Characters of a tool result that a model is given; 0: no limit. The whole result is kept.',
    expected: 'a whole number, 0 or more',
  }),
  readWalkUp: z.boolean().default(true).meta({
    description:
      'Lets `read_file` look for a missing file in the folders above, up to the repository root, and in `workingDirectory` if that folder is granted.',
    expected: 'true or false',
  }),
  askBeforeCommands: z.boolean().default(false).meta({
    description:
      'Asks before every command, also before those that can change nothing: they only read, or run in a read-only sandbox. Your rules and the folders in which you let Steward work freely still count.',
    expected: 'true or false',
  }),
  allowPrivateNetwork: z.enum(['ask', 'never']).default('ask').meta({
    description:
      'Whether web tools may reach your own machine and network: `ask` asks, host by host; `never` refuses. The addresses in `endpoints` are exempt.',
    expected: 'ask or never',
  }),
  webSearchProvider: z.enum(['brave', 'duckduckgo', 'searxng']).optional().meta({
    description: 'Who answers `web_search`. Left out: Brave if its key is set, else the tool is not offered.',
    expected: 'one of brave, duckduckgo, searxng',
  }),
});

const limits = z.object({
  rounds: z.int().min(1).max(10_000).default(50).meta({
    description: 'Requests to the model that one turn may take; then it ends with a notice.',
    expected: 'a whole number from 1 to 10000',
  }),
});

const undo = z.object({
  maxGigabytes: z.number().min(0.1).max(10_000).default(5).meta({
    description:
      'How much is kept of what was in files before commands changed them. The oldest goes first. What is needed to undo the last day stays.',
    expected: 'gigabytes from 0.1 to 10000',
  }),
  maxDays: z.int().min(1).max(3_650).default(30).meta({
    description: 'How long it is kept.',
    expected: 'a whole number from 1 to 3650',
  }),
});

const updates = z.object({
  check: z.boolean().default(false).meta({
    description:
      'Whether Steward looks once a day for a new version where it is released. `true` takes effect once you have confirmed it.',
    expected: 'true or false',
  }),
});

function endpoint(replaces: string, service: keyof typeof vendorBaseUrls) {
  return serviceUrl.optional().meta({ description: `Replaces \`${vendorBaseUrls[service]}\` (${replaces}).` });
}

const endpoints = z.object({
  anthropic: endpoint('Messages and Admin API', 'anthropic'),
  openai: endpoint('OpenAI API', 'openai'),
  gemini: endpoint('Gemini API', 'gemini'),
  ollama: endpoint('Ollama', 'ollama'),
  brave: endpoint('Brave Search API', 'brave'),
  duckduckgo: endpoint('DuckDuckGo search', 'duckduckgo'),
  searxng: endpoint('a SearXNG instance, for `tools.webSearchProvider`', 'searxng'),
  linkedin: endpoint('a linkedin.com URL given to a tool is rewritten to it', 'linkedin'),
  googleAuth: endpoint('Google sign-in', 'googleAuth'),
  googleToken: endpoint('Google tokens', 'googleToken'),
  googleApis: endpoint('Gmail under `/gmail/v1/`, Calendar under `/calendar/v3/`', 'googleApis'),
} satisfies Record<(typeof serviceNames)[number], z.ZodType>);

export const configSchema = z.object({
  workingDirectory: folder.optional().meta({
    description:
      'The workspace: the folder that file tools work in. Left out: the folder the app was launched from. Takes effect once you have confirmed it.',
    examples: ['~/projects/notes'],
  }),
  folders: z
    .array(folder)
    .default([])
    .meta({
      description: 'More folders that file tools may work in. Each takes effect once you have confirmed it.',
      expected: 'a list of folders',
      examples: [['/srv/reports', '~/Pictures']],
    }),
  model: text.optional().meta({
    description:
      "Which model answers: `provider:model`, a provider's name, a bare id (Anthropic's), or `guide`. Left out: Claude if a key is set, else the Guide.",
    expected: 'the id of a model',
    examples: ['anthropic:claude-sonnet-4-5'],
  }),
  providers: z
    .record(
      z.string().superRefine((name, { addIssue }) => {
        const message = providerNameProblem(name);
        if (message !== null) addIssue({ code: 'custom', message });
      }),
      provider,
    )
    .default({})
    .meta({
      description: 'Model services by a name of your choice. Keys are not kept here but in the keychain.',
      expected: 'an object of providers',
      examples: [{ local: { type: 'ollama', model: 'qwen3', baseUrl: 'http://127.0.0.1:11434' } }],
    }),
  prices,
  mcpServers: z
    .record(
      z.string().superRefine((name, { addIssue }) => {
        const message = serverNameProblem(name) ?? (isLikeOurs(name) ? LIKE_OURS : null);
        if (message !== null) addIssue({ code: 'custom', message });
      }),
      mcpServer,
    )
    .default({})
    .meta({
      description:
        'MCP servers by name, in the shape of `claude_desktop_config.json`. The key may be spelled `McpServers` and the keys inside in any case. Each takes effect once you have confirmed it, and its tools are used once you have seen what it says of them, again after it says something else.',
      expected: 'an object of servers',
      examples: [
        {
          files: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '/srv/reports'] },
          tracker: { transport: 'http', url: 'https://mcp.example.org/mcp' },
        },
      ],
    }),
  tools: tools.prefault({}).meta({ description: 'Built-in tools.', expected: 'an object' }),
  clientTools: clientTools
    .prefault({})
    .meta({ description: 'Tools that a client brings along.', expected: 'an object' }),
  limits: limits.prefault({}).meta({ description: 'Limits of a turn.', expected: 'an object' }),
  undo: undo.prefault({}).meta({ description: 'What is kept so that commands can be undone.', expected: 'an object' }),
  updates: updates.prefault({}).meta({ description: 'New versions of Steward.', expected: 'an object' }),
  outboxSeconds: z.number().min(0).max(3600).default(10).meta({
    description:
      'Seconds for which an email that you approved waits, so that you can undo it; 0: it is sent at once. `ask` never waits.',
    expected: 'seconds from 0 to 3600',
  }),
  endpoints: endpoints.prefault({}).meta({
    description:
      "Base URLs for gateways, proxies and tests: each replaces scheme, host and port of a service, and the vendor's path is appended. Each takes effect once you have confirmed it.",
    expected: 'an object of URLs',
    examples: [{ anthropic: 'https://gateway.example.org/anthropic' }],
  }),
});

export type Config = z.output<typeof configSchema>;
export type McpServerConfig = Config['mcpServers'][string];
export type ProviderConfig = Config['providers'][string];
