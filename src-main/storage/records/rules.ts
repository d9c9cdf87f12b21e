import { randomUUID } from 'node:crypto';
import type { Database } from '../database/database.ts';

/** A stored rule. Only the policy room interprets a matcher; here it is JSON. */
export interface StoredRule<Matcher = unknown> {
  readonly id: string;
  readonly label: string;
  /** Null for any tool. */
  readonly tool: string | null;
  readonly matcher: Matcher;
  /** Null if the rule always applies. */
  readonly conversationId: string | null;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
  readonly uses: number;
}

export interface StoredRuleDraft<Matcher = unknown> {
  readonly label: string;
  readonly tool: string | null;
  readonly matcher: Matcher;
}

export interface Rules<Matcher = unknown> {
  /**
   * The rules that apply in this conversation, its own and the permanent ones, oldest first. If it is null, only the
   * permanent ones.
   */
  list(conversationId: string | null): readonly StoredRule<Matcher>[];
  /** Every rule of every conversation, oldest first. */
  all(): readonly StoredRule<Matcher>[];
  add(draft: StoredRuleDraft<Matcher>, conversationId: string | null): StoredRule<Matcher>;
  markUsed(id: string): void;
  /** Returns false if there was none. */
  revoke(id: string): boolean;
}

type RuleRow = Omit<StoredRule, 'matcher'> & { readonly matcher: string };

const SELECT = `
  SELECT id, label, tool, matcher, conversation_id AS conversationId, created_at AS createdAt,
    last_used_at AS lastUsedAt, uses
  FROM rules`;

export function createRules<Matcher>(database: Database): Rules<Matcher> {
  // The schema checks that a matcher is JSON; its type was checked when it was added.
  const toRule = (row: RuleRow): StoredRule<Matcher> => ({ ...row, matcher: JSON.parse(row.matcher) as Matcher });

  return {
    list: (conversationId) =>
      database.read((connection) => {
        const rows = connection
          .statement(`${SELECT} WHERE conversation_id IS NULL OR conversation_id = ? ORDER BY num`)
          .all(conversationId);
        return (rows as RuleRow[]).map(toRule);
      }),

    all: () =>
      database.read((connection) => (connection.statement(`${SELECT} ORDER BY num`).all() as RuleRow[]).map(toRule)),

    add: ({ label, tool, matcher }, conversationId) => {
      const rule = {
        id: randomUUID(),
        label,
        tool,
        matcher,
        conversationId,
        createdAt: database.now().toISOString(),
        lastUsedAt: null,
        uses: 0,
      };
      database.write((connection) =>
        connection
          .statement(
            'INSERT INTO rules (id, label, tool, matcher, conversation_id, created_at) VALUES (?, ?, ?, ?, ?, ?)',
          )
          .run(rule.id, label, tool, JSON.stringify(matcher), conversationId, rule.createdAt),
      );
      return rule;
    },

    markUsed: (id) => {
      database.write((connection) =>
        connection
          .statement('UPDATE rules SET uses = uses + 1, last_used_at = ? WHERE id = ?')
          .run(database.now().toISOString(), id),
      );
    },

    revoke: (id) =>
      database.write((connection) => connection.statement('DELETE FROM rules WHERE id = ?').run(id).changes > 0),
  };
}
