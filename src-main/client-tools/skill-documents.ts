import { z } from 'zod';
import type { Mark } from '../../src-preload/contract/events.ts';
import { type AssessContext, type Tool, type ToolContext, ToolFailure, type ToolResult } from '../tools/contract.ts';
import { defineTool } from '../tools/define-tool.ts';
import type { SkillDocument } from './records.ts';

export interface ActiveSkill {
  readonly name: string;
  /** Marks of its documents. */
  readonly marks: readonly Mark[];
  readonly documents: readonly SkillDocument[];
}

/** The tool that reads the documents at a URL. Undefined if it is not registered. */
export type WebFetch = () => { readonly tool: Tool; readonly isEnabled: boolean } | undefined;

export const READ_SKILL_DOCUMENT = 'read_skill_document';

/**
 * Reads the documents of active skills. Those at a URL are read by the rules of web_fetch. Source: tool catalogue D.9.
 */
export function skillDocumentTool(skills: readonly ActiveSkill[], webFetch: WebFetch): Tool {
  return defineTool<typeof INPUT.shape, Plan>({
    name: READ_SKILL_DOCUMENT,
    access: 'read',
    description:
      'Read a document of an active skill. The call that activated the skill returned the ids of its documents.',
    input: INPUT,
    undo: 'nothing',
    words: { title: 'Read a skill’s document', done: 'Read', icon: 'file-text', about: ['skill', 'document'] },
    async assess(input, context) {
      const { skill, document } = found(input, skills);
      if (typeof document.content === 'string')
        return { access: [{ class: 'read', kind: 'app' }], plan: { skill, text: document.content } };
      const page = await fetched(document, webFetch(), context);
      return { access: page.access, plan: { skill, fetch: (running) => page.execute(running) } };
    },
    async execute(plan, context) {
      for (const mark of plan.skill.marks) context.mark(mark);
      if ('text' in plan) return plan.text;
      const result = await plan.fetch(context);
      if (result.isError)
        throw new ToolFailure(result.text, result.outcome === undefined ? {} : { outcome: result.outcome });
      return result;
    },
  });
}

const INPUT = z.object({
  skill: z.string().describe('Name of an active skill'),
  document: z.string().describe('Id of one of its documents'),
});

type Plan = { readonly skill: ActiveSkill } & (
  | { readonly text: string }
  | { readonly fetch: (context: ToolContext) => Promise<ToolResult> }
);

function found(
  { skill: name, document: id }: z.infer<typeof INPUT>,
  skills: readonly ActiveSkill[],
): { readonly skill: ActiveSkill; readonly document: SkillDocument } {
  const skill = skills.find((each) => each.name === name);
  if (skill === undefined) throw new ToolFailure(`Error: No active skill is named ${name}`);
  const document = skill.documents.find((each) => each.id === id);
  if (document === undefined) throw new ToolFailure(`Error: The skill ${name} has no document ${id}`);
  return { skill, document };
}

async function fetched({ url }: SkillDocument, webFetch: ReturnType<WebFetch>, context: AssessContext) {
  if (webFetch === undefined) throw new ToolFailure('Error: web_fetch is not available, which reads this document');
  if (!webFetch.isEnabled) throw new ToolFailure(`Error: Tool is disabled: ${webFetch.tool.name}`);
  return webFetch.tool.prepare({ url }).assess(context);
}
