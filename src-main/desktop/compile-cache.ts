/** Keeps compiled code between starts. From Node 22 on; the evaluation runtime does without. */
export function cacheCompiledCode(folder: string): void {
  const { enableCompileCache } = (process.getBuiltinModule?.('node:module') ?? {}) as {
    readonly enableCompileCache?: (folder: string) => unknown;
  };
  enableCompileCache?.(folder);
}
