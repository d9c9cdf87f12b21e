/** A shape that is only looked for where one of its literals is, because nearly all texts have none. */
export interface LiteralShape {
  readonly literals: readonly string[];
  readonly shape: RegExp;
}

/** The tokens of one issuer. */
export interface TokenShape {
  /** What is replaced in a text that goes on: rather too much than too little. */
  readonly loose?: RegExp;
  /** A token in the length that its issuer gives it, because source code names the loose shape and is no secret. */
  readonly exact?: LiteralShape;
}

/** Each shape has a fixed beginning, so that long texts are searched quickly. */
export const TOKEN_SHAPES: readonly TokenShape[] = [
  // Anthropic, OpenAI and the many that use the same form.
  {
    loose: /(?<![A-Za-z0-9])sk-[A-Za-z0-9_-]{8,}/g,
    exact: {
      literals: ['sk-'],
      shape: /(?<![A-Za-z0-9])sk-(?:ant-[a-z]{3}\d\d-[A-Za-z0-9_-]{80,}|(?:proj-|svcacct-|or-v1-)?[A-Za-z0-9_-]{40,})/g,
    },
  },
  // Google API keys, OAuth access tokens, client secrets.
  {
    loose: /AIza[A-Za-z0-9_-]{20,}/g,
    exact: { literals: ['AIza'], shape: /(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/g },
  },
  {
    loose: /ya29\.[A-Za-z0-9._-]{10,}/g,
    exact: { literals: ['ya29.'], shape: /(?<![A-Za-z0-9])ya29\.[A-Za-z0-9._-]{40,}/g },
  },
  {
    loose: /GOCSPX-[A-Za-z0-9_-]{10,}/g,
    exact: { literals: ['GOCSPX-'], shape: /(?<![A-Za-z0-9])GOCSPX-[A-Za-z0-9_-]{28}(?![A-Za-z0-9_-])/g },
  },
  // The form of GitHub's tokens.
  {
    loose: /(?<![A-Za-z0-9])gh[pousr]_[A-Za-z0-9]{16,}/g,
    exact: {
      literals: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
      shape: /(?<![A-Za-z0-9])gh[pousr]_[A-Za-z0-9]{36,}/g,
    },
  },
  {
    loose: /github_pat_[A-Za-z0-9_]{20,}/g,
    exact: { literals: ['github_pat_'], shape: /(?<![A-Za-z0-9])github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}/g },
  },
  // The form of Slack's tokens.
  {
    loose: /(?<![A-Za-z0-9])xox[a-z]-[A-Za-z0-9-]{8,}/g,
    exact: { literals: ['xox'], shape: /(?<![A-Za-z0-9])xox[abeprs]-\d{8,}-[A-Za-z0-9-]{20,}/g },
  },
  // GitLab, npm, AWS, Stripe.
  {
    loose: /(?<![A-Za-z0-9])glpat-[A-Za-z0-9_-]{16,}/g,
    exact: { literals: ['glpat-'], shape: /(?<![A-Za-z0-9])glpat-[A-Za-z0-9_-]{20,}/g },
  },
  {
    loose: /(?<![A-Za-z0-9])npm_[A-Za-z0-9]{30,}/g,
    exact: { literals: ['npm_'], shape: /(?<![A-Za-z0-9])npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])/g },
  },
  { loose: /(?<![A-Za-z0-9])A(?:KIA|SIA)[A-Z0-9]{16}(?![A-Za-z0-9])/g },
  {
    exact: {
      literals: ['secret_access_key', 'SECRET_ACCESS_KEY', 'ecretAccessKey'],
      shape: /secret_?access_?key\\?["']?\s{0,8}(?:=>?|:)\s{0,8}\\?["']?[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/])/gi,
    },
  },
  {
    loose: /(?<![A-Za-z0-9])[rs]k_(?:live|test)_[A-Za-z0-9]{10,}/g,
    exact: { literals: ['k_live_'], shape: /(?<![A-Za-z0-9])[rs]k_live_[A-Za-z0-9]{24,}/g },
  },
  // Anyone who has one of these addresses can post there.
  {
    loose: /https:\/\/hooks\.slack\.com\/services\/[A-Za-z0-9/_-]{8,}/g,
    exact: {
      literals: ['hooks.slack.com'],
      shape: /https:\/\/hooks\.slack\.com\/services\/T[A-Z0-9]{8,}\/B[A-Z0-9]{8,}\/[A-Za-z0-9]{24}/g,
    },
  },
  {
    loose: /https:\/\/(?:\w+\.)?discord(?:app)?\.com\/api\/webhooks\/[A-Za-z0-9/_-]{8,}/g,
    exact: {
      literals: ['/api/webhooks/'],
      shape: /https:\/\/(?:\w+\.)?discord(?:app)?\.com\/api\/webhooks\/\d{17,20}\/[A-Za-z0-9_-]{60,}/g,
    },
  },
  // JSON Web Tokens.
  { loose: /(?<![A-Za-z0-9])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g },
  // The form of Groq's keys.
  {
    loose: /(?<![A-Za-z0-9])gsk_[A-Za-z0-9]{16,}/g,
    exact: { literals: ['gsk_'], shape: /(?<![A-Za-z0-9])gsk_[A-Za-z0-9]{52}(?![A-Za-z0-9])/g },
  },
  // The form of Brave's keys.
  { loose: /(?<![A-Za-z0-9])BSA[A-Za-z0-9_-]{20,}/g },
];
