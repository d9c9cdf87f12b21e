/**
 * The name of the tool that searches all tools. Services that load deferred tools themselves call it in a form of their
 * own.
 */
export const FIND_TOOLS = 'find_tools';
