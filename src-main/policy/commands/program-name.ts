/** `/usr/bin/python3.12` → `python3.12` and `python`, `Git.EXE` → `git`, `gcc-12` → `gcc-12` and `gcc`. */
export function programNames(word: string): readonly string[] {
  const base = word.split(/[\\/]/).at(-1) ?? '';
  const name = base.toLowerCase().replace(/\.(?:exe|cmd|bat|com|ps1)$/, '');
  const withoutVersion = name.replace(/[-_]?\d[\d.]*w?$/, '');
  return withoutVersion === name || withoutVersion === '' ? [name] : [name, withoutVersion];
}
