/** Names under which the app itself reads secrets (tool catalogue A.3, design section 6). */
const OWN_SECRETS = new Set([
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_ADMIN_API_KEY',
  'BRAVE_API_KEY',
  'GOOGLE_CLIENT_ID',
  'GOOGLE_CLIENT_SECRET',
  'OPENAI_API_KEY',
  'GEMINI_API_KEY',
]);

/** Secret wherever they stand in a part of the name: PGPASSWORD, CLIENTSECRET. */
const SECRET_INSIDE = /SECRET|PASSWORD|CREDENTIAL/;
/** Secret only as an own part or after such a word: API_KEY, APIKEY and GITHUB_TOKENS are, KEYBOARD and TOKENIZERS are not. */
const SECRET_PART =
  /^(?:(?:API|ACCESS|AUTH|PRIVATE|SECRET|SIGNING|ENCRYPTION|MASTER|DEPLOY|SSH|LICENSE|SERVICE|ACCOUNT)?KEYS?|[A-Z0-9]*TOKENS?)$/;

/** Whether a variable of this name looks like it holds a secret. Source: tool catalogue B.2. */
export function looksSecret(name: string): boolean {
  const parts = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toUpperCase()
    .split(/[^A-Z0-9]+/);
  return parts.some((part) => SECRET_INSIDE.test(part) || SECRET_PART.test(part));
}

/** What a child process is given: everything but the app's own secrets and what looks like one. */
export function childEnvironment(environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !OWN_SECRETS.has(name.toUpperCase()) && !looksSecret(name)),
  );
}
