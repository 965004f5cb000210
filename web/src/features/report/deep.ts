export type DeepCards = typeof import('./deep-cards.tsx')

let here: DeepCards | null = null

export const deepCards = (): DeepCards | null => here
export const isDeepHere = (): boolean => here !== null

/** The code of a report's lower half; once it is there, it stays. */
export async function loadDeep(): Promise<DeepCards> {
  here = await import('./deep-cards.tsx')
  return here
}
