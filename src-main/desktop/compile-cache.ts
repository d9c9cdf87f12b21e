/** Caches compiled code between starts (Node 22 and later). */
export function cacheCompiledCode(folder: string): void {
  const { enableCompileCache } = (process.getBuiltinModule?.('node:module') ?? {}) as {
    readonly enableCompileCache?: (folder: string) => unknown;
  };
  enableCompileCache?.(folder);
}
