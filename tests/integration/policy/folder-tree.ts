import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A folder of its own, gone after `remove`. Its path holds no symlink. */
export class FolderTree {
  readonly path = realpathSync(mkdtempSync(join(tmpdir(), 'steward-policy-')));

  at(...segments: string[]): string {
    return join(this.path, ...segments);
  }

  folder(path: string): string {
    mkdirSync(this.at(path), { recursive: true });
    return this.at(path);
  }

  file(path: string, text = path): string {
    mkdirSync(dirname(this.at(path)), { recursive: true });
    writeFileSync(this.at(path), text);
    return this.at(path);
  }

  link(path: string, target: string): string {
    mkdirSync(dirname(this.at(path)), { recursive: true });
    symlinkSync(target, this.at(path));
    return this.at(path);
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
