/** Keeps compiled code between starts, from Node 22 on. */
export function cacheCompiledCode(folder: string): void {
  const { enableCompileCache } = (process.getBuiltinModule?.('node:module') ?? {}) as {
    readonly enableCompileCache?: (folder: string) => unknown;
  };
  enableCompileCache?.(folder);
}
