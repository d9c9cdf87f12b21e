/** Texts that a model writes into one argument, in UTF-16 units; see `Tool.longest`. */

/** A command line, or a small script in one. */
export const COMMAND_LENGTH = 30_000;
/** A document, a mail, JSON. */
export const TEXT_LENGTH = 5_000_000;
/** The whole content of a file. */
export const FILE_LENGTH = 30_000_000;
