import type { ToolGate } from './registry.ts';

/**
 * Open while every one of these credentials (environment names) is set and not empty. `needs`: for people, completes
 * "needs …". Source: tool catalogue A.3.
 */
export function needsCredentials(needs: string, ...names: readonly string[]): ToolGate {
  return { needs, isOpen: (available) => names.every((name) => available.hasCredential(name)) };
}
