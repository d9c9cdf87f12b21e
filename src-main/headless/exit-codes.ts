/** 128 + SIGINT, as shells report it. */
export const INTERRUPTED_EXIT_CODE = 130;

export const EXIT = { ended: 0, failed: 1, misconfigured: 2, interrupted: INTERRUPTED_EXIT_CODE } as const;
