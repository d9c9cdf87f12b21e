import { ToolFailure } from './contract.ts';

/** The arguments alone make the call impossible: nothing was looked at. */
export class InvalidArguments extends ToolFailure {}
