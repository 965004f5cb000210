/** Runs what is wanted soon but not now: when the browser has nothing to do, or after three seconds all the same. */
export function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work, { timeout: 3_000 })
  else setTimeout(work, 1_000)
}
