import type { UndoneCounts } from './conversations.ts';

/** `2 files and 1 folder` */
export function filesText({ files, folders }: UndoneCounts): string {
  if (folders === 0) return counted(files, 'file');
  if (files === 0) return counted(folders, 'folder');
  return `${counted(files, 'file')} and ${counted(folders, 'folder')}`;
}

/** `1,200 files` */
export function counted(count: number, one: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : `${one}s`}`;
}
