/** A problem at the start that the operator must solve: one clear sentence, exit 1, no stack. */
export class StartError extends Error {}
