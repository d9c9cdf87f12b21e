import type { z } from 'zod';
import type { routes } from '../../src-preload/contract/index.ts';
import type { OutputOf, ParsedInputOf, Route, Surface } from '../../src-preload/contract/route.ts';

export type RouteGroup = Readonly<Record<string, Route<z.ZodType, unknown>>>;

/** What main itself knows about a request. */
export interface Circumstances {
  /** The time in milliseconds of `performance.now()`. */
  readonly receivedAt: number;
}

/** Has one function for each route of a group. A missing or extra one does not compile. */
export type Handlers<Group extends RouteGroup> = {
  readonly [Name in keyof Group]: (
    input: ParsedInputOf<Group[Name]>,
    circumstances: Circumstances,
  ) => OutputOf<Group[Name]> | Promise<OutputOf<Group[Name]>>;
};

/** A group may be provided later (the database is still opening); its requests wait for it. */
export type HandlerTable = {
  readonly [S in Surface]: {
    readonly [Group in keyof (typeof routes)[S]]: (typeof routes)[S][Group] extends RouteGroup
      ? Handlers<(typeof routes)[S][Group]> | Promise<Handlers<(typeof routes)[S][Group]>>
      : never;
  };
};
