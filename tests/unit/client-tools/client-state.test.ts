import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  activated,
  type Changed,
  ClientState,
  closed,
  collapsed,
  EMPTY_STATE,
  expanded,
  queued,
  registered,
  settled,
} from '../../../src-main/client-tools/client-state.ts';
import { activePrompts, offeredGroups } from '../../../src-main/client-tools/offered-groups.ts';
import { loadSchemaChecks } from '../../../src-main/client-tools/parameter-schema.ts';
import { Augmentation, RunInput } from '../../../src-main/client-tools/records.ts';
import { registrationProblem } from '../../../src-main/client-tools/registration.ts';
import { groupWith, IDE, SHOP } from '../../fixtures/client-host.ts';
import { repetitions } from '../../fixtures/repetitions.ts';

await loadSchemaChecks();

type Input = Parameters<typeof RunInput.parse>[0];

function register(input: Input, state: ClientState = EMPTY_STATE): ClientState {
  return registered(state, RunInput.parse(input));
}

function apply(state: ClientState, ...augmentations: readonly object[]): Changed {
  const waiting = augmentations.reduce<ClientState>((all, each) => queued(all, Augmentation.parse(each)), state);
  return settled(waiting, (groups, after) =>
    registrationProblem(groups, after, { validatesSchemas: true, isTaken: () => false, looksBuiltIn: () => false }),
  );
}

/** What is offered: containers with their group's name in brackets, then tools; sorted as offered. */
function offered(state: ClientState, collapses = true): readonly string[] {
  return offeredGroups(state, collapses).flatMap(({ group, isClosed, offered: tools }) => [
    ...(isClosed ? [`[${group.name}]`] : []),
    ...[...tools].map(({ name }) => name),
  ]);
}

const MEMBERS = ['OpenFile', 'GetSelection', 'ShowMessage'];
const C = register({ clientToolGroups: [IDE] });
const E = register({ clientToolGroups: [IDE], expandedContainers: ['IDE'] });

describe('the states of a group (tool catalogue D.4)', () => {
  test.each<[string, ClientState, readonly string[]]>([
    ['#1 registered, not expanded', C, ['[IDE]']],
    ['#2 registered, in the expanded set', E, MEMBERS],
    ['#3 not collapsed at the start', register({ clientToolGroups: [{ ...IDE, startCollapsed: false }] }), MEMBERS],
    ['#4 opened', expanded(C, ['IDE']), MEMBERS],
    ['#7 opened again', expanded(E, ['IDE']), MEMBERS],
    ['#8 with collapseAtTurnEnd, the turn ends', closed(E), ['[IDE]']],
    ['#9 an augmentation expands it', apply(C, { expandToolGroups: ['IDE'] }).state, MEMBERS],
    ['#9 an augmentation collapses it', apply(E, { collapseToolGroups: ['IDE'] }).state, ['[IDE]']],
    [
      '#10 collapsed although it started open',
      collapsed(register({ clientToolGroups: [{ ...IDE, startCollapsed: false }] }), ['IDE']),
      ['[IDE]'],
    ],
    ['#11 registered again while closed', register({ clientToolGroups: [IDE] }, C), ['[IDE]']],
    ['#11 registered again while open', register({ clientToolGroups: [IDE] }, E), MEMBERS],
    [
      '#11 registered again, not collapsed',
      register({ clientToolGroups: [{ ...IDE, startCollapsed: false }] }, C),
      MEMBERS,
    ],
    [
      '#11 injected with another definition',
      apply(E, { injectToolGroups: [groupWith('IDE', ['Other'])] }).state,
      ['Other'],
    ],
    ['#12 removed', apply(E, { removeToolGroups: ['IDE'] }).state, []],
    ['#13 reset', register({ resetClientState: true }, E), []],
    ['#15 a member is hidden', apply(E, { hideTools: ['GetSelection'] }).state, ['OpenFile', 'ShowMessage']],
    ['#15 and shown again', apply(E, { hideTools: ['GetSelection'] }, { showTools: ['GetSelection'] }).state, MEMBERS],
    ['all of its members are hidden', apply(C, { hideTools: MEMBERS }).state, []],
  ])('%s', (_, state, expected) => {
    expect(offered(state)).toEqual(expected);
  });

  test('#1, #3 without collapsing, everything is offered and nothing opens a group', () => {
    expect(offered(C, false)).toEqual(MEMBERS);
  });

  test('#10 a group without a description is collapsed like any other', () => {
    const { description: _, ...nameless } = IDE;
    const state = register({ clientToolGroups: [{ ...nameless, startCollapsed: false }] });
    expect(offered(apply(state, { collapseToolGroups: ['IDE', 'Unknown'] }).state)).toEqual(['[IDE]']);
  });

  test('#12 removing drops the expanded flag, and hidden names stay hidden', () => {
    const removed = apply(E, { removeToolGroups: ['IDE'], hideTools: ['OpenFile'] }).state;
    const again = register({ clientToolGroups: [IDE] }, removed);
    expect(offered(again)).toEqual(['[IDE]']);
    expect(offered(expanded(again, ['IDE']))).toEqual(['GetSelection', 'ShowMessage']);
  });

  test('#13 a reset clears groups, expansion, hidden names, context, state and what waits', () => {
    const state = register({
      clientToolGroups: [IDE],
      expandedContainers: ['IDE', 'Later'],
      hiddenTools: ['x'],
      context: [{ description: 'a', value: 'b' }],
      state: { a: 1 },
    });
    expect(register({ resetClientState: true }, queued(state, {}))).toEqual(EMPTY_STATE);
  });

  test('#14 expanding an unknown name is remembered; collapsing or removing one changes nothing', () => {
    const remembered = apply(EMPTY_STATE, { expandToolGroups: ['IDE'] }).state;
    expect(offered(register({ clientToolGroups: [IDE] }, remembered))).toEqual(MEMBERS);
    expect(apply(C, { collapseToolGroups: ['Nothing'], removeToolGroups: ['Nothing'] })).toEqual({
      state: C,
      ignored: [],
    });
  });

  test('#15 hidden names that nobody has yet are remembered', () => {
    expect(
      offered(
        register({ clientToolGroups: [IDE], expandedContainers: ['IDE'] }, register({ hiddenTools: ['OpenFile'] })),
      ),
    ).toEqual(['GetSelection', 'ShowMessage']);
  });
});

test('without client input nothing changes', () => {
  const state = register({ context: [{ description: 'a', value: 'b' }], state: 1 }, E);
  expect(register({}, state)).toEqual(state);
});

describe('skills', () => {
  const shop = register({ clientToolGroups: [SHOP] });

  test('an active one offers what it refers to, also of a closed or another group, and never hidden tools', () => {
    const other = { ...SHOP, name: 'Other', tools: [{ name: 'Look', description: 'Looks' }] };
    const skills = [{ ...SHOP.skills[0], references: [{ toolName: 'ValidateCart', toolsetName: 'Shop' }] }];
    const state = register({ clientToolGroups: [SHOP, { ...other, skills }], hiddenTools: ['ConfirmOrder'] });
    expect(offered(state)).toEqual(['[Shop]', '[Other]']);
    expect(offered(activated(state, 'Other', 'Complete Checkout'))).toEqual(['[Shop]', 'ValidateCart', '[Other]']);
    expect(offered(activated(state, 'Shop', 'Complete Checkout'))).toEqual([
      '[Shop]',
      'ValidateCart',
      'ProcessPayment',
      '[Other]',
    ]);
  });

  test('collapsing its group ends it; so does a definition without it', () => {
    const active = activated(shop, 'Shop', 'Complete Checkout');
    expect(offered(apply(active, { collapseToolGroups: ['Shop'] }).state)).toEqual(['[Shop]']);
    expect(offered(register({ clientToolGroups: [{ ...SHOP, skills: [] }] }, active))).toEqual(['[Shop]']);
  });

  test('prompts: groups by name, then skills; only while open or active', () => {
    const skill = { ...SHOP.skills[0], systemPrompt: 'skill' };
    const groups = [
      { ...groupWith('Zoo', ['Zebra']), systemPrompt: 'zoo' },
      { ...SHOP, systemPrompt: 'shop', skills: [skill] },
      { ...groupWith('Ark', ['Ant']), systemPrompt: 'ark' },
    ];
    const state = activated(
      register({ clientToolGroups: groups, expandedContainers: ['Zoo', 'Ark'] }),
      ...(['Shop', 'Complete Checkout'] as const),
    );
    const texts = (of: ClientState, collapses = true) => activePrompts(of, collapses).map(({ text }) => text);
    expect(texts(state)).toEqual(['ark', 'zoo', 'skill']);
    expect(texts(state, false)).toEqual(['ark', 'shop', 'zoo', 'skill']);
    expect(texts(apply(state, { collapseToolGroups: ['Zoo', 'Shop'] }).state)).toEqual(['ark']);
  });
});

describe('augmentation (tool catalogue D.7)', () => {
  test('login tools are replaced by admin tools that are open at once', () => {
    const state = register({ clientToolGroups: [groupWith('LoginTools', ['Login', 'Logout'])] });
    const { state: after } = apply(state, {
      removeToolGroups: ['LoginTools'],
      injectToolGroups: [groupWith('AdminTools', ['Ban', 'Promote'])],
      expandToolGroups: ['AdminTools'],
    });
    expect(offered(after)).toEqual(['Ban', 'Promote']);
  });

  test('hiding one tool and showing another leaves the first hidden', () => {
    const open = register({
      clientToolGroups: [{ ...groupWith('LoginTools', ['Login', 'Logout']), startCollapsed: false }],
    });
    expect(offered(apply(open, { hideTools: ['Login'] }, { showTools: ['Logout'] }).state)).toEqual(['Logout']);
  });

  test('contradictions: injected wins over removed, collapsed over expanded, shown over hidden', () => {
    expect(offered(apply(E, { removeToolGroups: ['IDE'], injectToolGroups: [IDE] }).state)).toEqual(['[IDE]']);
    expect(offered(apply(C, { expandToolGroups: ['IDE'], collapseToolGroups: ['IDE'] }).state)).toEqual(['[IDE]']);
    expect(offered(apply(E, { hideTools: ['OpenFile'], showTools: ['OpenFile'] }).state)).toEqual(MEMBERS);
  });

  test('context: the same key replaces, by key or else by description', () => {
    const first = [
      { description: 'File', value: 'a' },
      { description: 'Line', value: '1', key: 'at' },
    ];
    const { state } = apply(register({ context: first }), {
      addContext: [
        { description: 'File', value: 'b' },
        { description: 'Column', value: '2', key: 'at' },
        { description: 'x', value: 'y' },
      ],
      removeContext: ['x'],
    });
    expect(state.context.map(({ description, value }) => `${description}: ${value}`)).toEqual(['File: b', 'Column: 2']);
  });

  test('state: an update replaces it, a patch is merged, and the update wins', () => {
    const state = register({ state: { a: { b: 1, c: 2 }, d: [1] } });
    expect(apply(state, { patchState: { a: { b: null, e: 3 }, d: [2] } }).state.state).toEqual({
      a: { c: 2, e: 3 },
      d: [2],
    });
    expect(apply(state, { updateState: null, patchState: { a: 1 } }).state.state).toBeNull();
    expect(apply(state, { patchState: JSON.parse('{"__proto__":{"polluted":true}}') }).state.state).toHaveProperty('a');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  test('a bad group voids its whole augmentation, and no other', () => {
    const bad = { injectToolGroups: [{ ...IDE, name: 'Bad', tools: [] }], hideTools: ['OpenFile'] };
    const { state, ignored } = apply(E, { hideTools: ['GetSelection'] }, bad, {
      addContext: [{ description: 'a', value: 'b' }],
    });
    expect(offered(state)).toEqual(['OpenFile', 'ShowMessage']);
    expect(state.context).toHaveLength(1);
    expect(ignored).toMatchObject([{ group: 'Bad' }]);
  });
});

const GROUPS = ['A', 'B', 'D'];
const name = fc.constantFrom(...GROUPS);
const toolName = fc.constantFrom(...GROUPS.flatMap((group) => [`${group}1`, `${group}2`]));
const group = fc.record({ of: name, startCollapsed: fc.boolean() }).map(({ of, startCollapsed }) => ({
  ...groupWith(of, [`${of}1`, `${of}2`]),
  startCollapsed,
}));
const some = <T>(each: fc.Arbitrary<T>) => fc.option(fc.array(each, { maxLength: 3 }), { nil: undefined });
const augmentation = fc.record(
  {
    removeToolGroups: some(name),
    expandToolGroups: some(name),
    collapseToolGroups: some(name),
    injectToolGroups: fc.option(fc.uniqueArray(group, { selector: (each) => each.name, maxLength: 2 }), {
      nil: undefined,
    }),
    hideTools: some(toolName),
    showTools: some(toolName),
    patchState: fc.option(fc.jsonValue(), { nil: undefined }),
  },
  { requiredKeys: [] },
);

test('whatever answers ask for, in any order, the state stays consistent', () => {
  fc.assert(
    fc.property(fc.array(augmentation, { maxLength: 12 }), (augmentations) => {
      const one = augmentations.reduce((state, each) => apply(state, each).state, EMPTY_STATE);
      // All at once is the same as one after the other.
      expect(apply(EMPTY_STATE, ...augmentations).state).toEqual(one);
      // It survives being kept.
      expect(ClientState.parse(JSON.parse(JSON.stringify(one)))).toEqual(JSON.parse(JSON.stringify(one)));
      for (const {
        group: { name: of, tools },
        isClosed,
        offered: shown,
        tools: visible,
      } of offeredGroups(one, true)) {
        const isOpen = one.expanded.includes(of);
        expect(isClosed).toBe(!isOpen && visible.length > 0);
        expect([...shown].some(({ name: tool }) => one.hidden.includes(tool))).toBe(false);
        expect([...shown]).toEqual(isOpen ? tools.filter(({ name: tool }) => !one.hidden.includes(tool)) : []);
      }
      const last = augmentations.at(-1) ?? {};
      const present = new Set(one.groups.map((each) => each.name));
      for (const each of last.injectToolGroups ?? []) expect(present).toContain(each.name);
      for (const each of last.collapseToolGroups ?? []) if (present.has(each)) expect(one.expanded).not.toContain(each);
      for (const each of last.showTools ?? []) expect(one.hidden).not.toContain(each);
    }),
    { numRuns: repetitions(300, 20_000) },
  );
});
