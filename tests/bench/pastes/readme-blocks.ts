import { lexer, type Token } from 'marked';

/** Something in a README that a user would copy to set a server up. */
export interface Block {
  readonly kind: 'code' | 'link';
  readonly language: string;
  readonly text: string;
}

/** What makes a block worth pasting; independent of the parser under trial. */
const CANDIDATE =
  /mcpServers|mcp_servers|context_servers|"servers"\s*:|"command"\s*:|\bmcp add\b|--add-mcp|^\s*(?:\$ )?(?:\w+=\S+ )*(?:npx|uvx|uv run|docker run|bunx|pnpm dlx|pnpx)\s|^\s*https?:\/\/\S+\/(?:mcp|sse)\/?\s*$/m;
const BUTTON =
  /install-mcp\?|mcp%2Finstall|mcp\/install\?|mcp-install\?|mcp\/add\?|add_mcp\?|goose\/extension\?|goose:\/\/extension/;

export function readmeBlocks(markdown: string): readonly Block[] {
  const found: Block[] = [];
  visit(lexer(markdown), found);
  const seen = new Set<string>();
  return found.filter(({ text }) => !seen.has(text) && seen.add(text));
}

function visit(tokens: readonly Token[], found: Block[]): void {
  for (const token of tokens) {
    if (token.type === 'code' && CANDIDATE.test(token.text as string))
      found.push({ kind: 'code', language: String(token.lang ?? '').toLowerCase(), text: token.text as string });
    if (token.type === 'link' && BUTTON.test(token.href as string))
      found.push({ kind: 'link', language: '', text: token.href as string });
    if (token.type === 'html') {
      for (const [, href = ''] of (token.text as string).matchAll(/href="([^"]+)"/g))
        if (BUTTON.test(href)) found.push({ kind: 'link', language: '', text: href });
      // Code blocks inside of <details> come as HTML when no empty line sets them apart.
      for (const [, , code = ''] of (token.text as string).matchAll(/```(\w*)\n([\s\S]*?)```/g))
        if (CANDIDATE.test(code)) found.push({ kind: 'code', language: '', text: code });
    }
    const inner = 'tokens' in token && Array.isArray(token.tokens) ? token.tokens : [];
    visit(inner, found);
    if (token.type === 'list') visit(token.items as readonly Token[], found);
    if (token.type === 'table')
      for (const cell of [...token.header, ...token.rows.flat()] as readonly { readonly tokens: Token[] }[])
        visit(cell.tokens, found);
  }
}
