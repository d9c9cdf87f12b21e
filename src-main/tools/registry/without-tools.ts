import type { Tool } from '../contract.ts';
import type { Toolset } from './toolset.ts';

/** The same tools without some of them, as if those were not registered. `isHidden` is asked again at each use. */
export function withoutTools(tools: Toolset, isHidden: (tool: Tool) => boolean): Toolset {
  const get = (name: string) => {
    const tool = tools.get(name);
    return tool === undefined || isHidden(tool) ? undefined : tool;
  };
  const isShown = ({ name }: { readonly name: string }) => get(name) !== undefined;
  return {
    get,
    missing: (name) => tools.missing(name),
    isEnabled: (tool) => tools.isEnabled(tool),
    brought: () => tools.brought(),
    asksModel: (tool) => tools.asksModel(tool),
    words: (name, input) => tools.words(name, input),
    prepare(name, input) {
      const tool = tools.get(name);
      const isReached = tool === undefined || !isHidden(tool);
      return isReached ? tools.prepare(name, input) : { ok: false, text: `Error: Tool not found: ${name}` };
    },
    offer(options) {
      const { tools: offered, deferred, leftOut } = tools.offer(options);
      return {
        tools: offered.filter(isShown),
        deferred: deferred.filter(isShown),
        leftOut: leftOut.filter(isShown),
      };
    },
    fill: (options) => tools.fill(options),
    find: async (query, count) => (await tools.find(query, count)).filter(isShown),
    prompts: () => tools.prompts(),
    turnEnded: () => tools.turnEnded(),
  };
}
