/** Of the names of factors that rules are written in now (`kept-meaning.ts`); files, links and drafts from before say none. */
export const namesVersion = 2
