/** How requests were answered, for a line at the end. */
export class AnswerCounts {
  readonly #counts = new Map<number, number>()
  #slowest = 0

  /** `ms`: until the answer was there. */
  add(status: number, ms: number): void {
    this.#counts.set(status, (this.#counts.get(status) ?? 0) + 1)
    this.#slowest = Math.max(this.#slowest, ms)
  }

  /** `2030 requests: 1290 × 400, 412 × 200 …; the slowest 310 ms`. */
  words(): string {
    const all = [...this.#counts].sort((a, b) => b[1] - a[1])
    const asked = all.reduce((sum, [, times]) => sum + times, 0)
    return `${asked} requests: ${all.map(([status, times]) => `${times} × ${status}`).join(', ')}; the slowest ${Math.round(this.#slowest)} ms`
  }
}
