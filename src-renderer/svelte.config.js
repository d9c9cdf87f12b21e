// What svelte-check and editors read; vite.renderer.config.ts compiles with the same options.
// biome-ignore lint/style/noDefaultExport: svelte-check reads the default export
export default { compilerOptions: { runes: true } };
