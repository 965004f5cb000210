/** What stands in the operator's way at the start: one clear sentence, exit 1, no stack. */
export class StartProblem extends Error {}
