export interface Piece {
  readonly text: string;
  readonly isMatch: boolean;
}

/** Cuts a snippet at its matches (`[start, end)`, UTF-16 units). Overlapping and out-of-range matches are harmless. */
export function matchPieces(snippet: string, matches: readonly (readonly [number, number])[]): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const [from, to] of [...matches].sort((a, b) => a[0] - b[0])) {
    const start = Math.max(at, from);
    const end = Math.min(snippet.length, to);
    if (end <= start) continue;
    if (start > at) pieces.push({ text: snippet.slice(at, start), isMatch: false });
    pieces.push({ text: snippet.slice(start, end), isMatch: true });
    at = end;
  }
  if (at < snippet.length) pieces.push({ text: snippet.slice(at), isMatch: false });
  return pieces;
}
