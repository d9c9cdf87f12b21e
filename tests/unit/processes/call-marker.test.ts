import { expect, test } from 'vitest';
import {
  CallMarkers,
  carriesMarker,
  MARKER_VARIABLE,
  markedEnvironment,
  showsMarker,
} from '../../../src-main/processes/call-marker.ts';
import { looksSecret } from '../../../src-main/secrets/secret-shapes.ts';

const markers = new CallMarkers();
const [call, other] = [markers.next(), markers.next()];
const foreign = new CallMarkers().next();
/** As the kernel keeps it. */
const block = (environment: Readonly<Record<string, string>>) =>
  Buffer.from(
    Object.entries(environment)
      .map(([name, value]) => `${name}=${value}\0`)
      .join(''),
  );
const marked = (marker: string, environment = {}) => block(markedEnvironment(environment, marker) as never);

test('a marker is found in its environment, by its full value and by the shared prefix', () => {
  const environment = marked(call, { PATH: '/bin', HOME: '/home/ada' });
  expect([[call], [markers.all], [other, call]].map((wanted) => carriesMarker(environment, wanted))).toEqual([
    true,
    true,
    true,
  ]);
  expect([[other], [foreign], [], ['']].map((wanted) => carriesMarker(environment, wanted))).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

test('a Steward inside a command of another is found by both', () => {
  const inner = marked(foreign, { [MARKER_VARIABLE]: call });
  expect([call, markers.all, foreign, other].map((wanted) => carriesMarker(inner, [wanted]))).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

test('an inherited value that is not a marker is not passed on', () => {
  for (const inherited of ['', 'x y', 'a'.repeat(5000), 'ABC', '\n'])
    expect(markedEnvironment({ [MARKER_VARIABLE]: inherited }, call)[MARKER_VARIABLE]).toBe(call);
});

test('a marker elsewhere in an environment is none', () => {
  const environments: readonly Readonly<Record<string, string>>[] = [
    { OTHER: call },
    { [`X${MARKER_VARIABLE}`]: call },
    { [`${MARKER_VARIABLE}S`]: call },
    { TEXT: `a\n${MARKER_VARIABLE}=${call}` },
    { [MARKER_VARIABLE]: `${call}0` },
    { [MARKER_VARIABLE]: `0${call}` },
    { [MARKER_VARIABLE]: call.slice(0, -1) },
  ];
  for (const environment of environments) expect(carriesMarker(block(environment), [call])).toBe(false);
  expect(carriesMarker(Buffer.alloc(0), [call])).toBe(false);
});

test('either of two values counts, even without a final NUL', () => {
  const twice = Buffer.from(`${MARKER_VARIABLE}=${foreign}\0A=1\0${MARKER_VARIABLE}=${call}`);
  expect([call, foreign, other].map((wanted) => carriesMarker(twice, [wanted]))).toEqual([true, true, false]);
});

test('a marker is found behind a command line of ps', () => {
  const row = `sleep 600 A=1 ${MARKER_VARIABLE}=${call} B=2`;
  expect([call, markers.all, other].map((wanted) => showsMarker(row, [wanted]))).toEqual([true, true, false]);
});

test('markers are unique, and the variable is not taken for a secret', () => {
  const many = Array.from({ length: 1000 }, () => markers.next());
  expect(new Set([...many, markers.all]).size).toBe(1001);
  expect(looksSecret(MARKER_VARIABLE)).toBe(false);
});
