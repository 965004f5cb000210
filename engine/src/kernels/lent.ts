/** What is kept of given memory, in bytes, for all that a thread computes. */
const most = 48 * 1024 * 1024
/** Less is quicker made than found. */
const least = 4 * 1024

/** Given back and not yet lent again, the newest last. */
const free: ArrayBufferLike[] = []

/**
 * Memory for the large tables of one calculation, that the next one takes again. New memory costs a fault of the system for each of its pages,
 * and after 64 MB of it V8 collects all garbage, which takes longer than ranking a market of bonds. Who gives nothing back costs time, not more.
 */
export class Lent {
  #taken: ArrayBufferLike[] = []

  /** Cells that hold what others left in them. Other threads may work on them too. */
  doubles(cells: number): Float64Array {
    return new Float64Array(this.#take(8 * cells), 0, cells)
  }

  bytes(count: number): Uint8Array {
    return new Uint8Array(this.#take(count), 0, count)
  }

  /** All of it, to whoever asks next: nobody may look at it any more. */
  giveBack(): void {
    free.push(...this.#taken)
    this.#taken = []
    let kept = free.reduce((sum, { byteLength }) => sum + byteLength, 0)
    while (kept > most) kept -= free.shift()?.byteLength ?? kept
  }

  #take(bytes: number): ArrayBufferLike {
    if (bytes < least) return made(bytes)
    // The smallest that is large enough.
    let found = -1
    for (const [k, { byteLength }] of free.entries()) {
      if (byteLength >= bytes && (found < 0 || byteLength < free[found].byteLength)) found = k
    }
    const [buffer] = found < 0 ? [made(bytes)] : free.splice(found, 1)
    this.#taken.push(buffer)
    return buffer
  }
}

const isShared = typeof SharedArrayBuffer === 'function'

const made = (bytes: number): ArrayBufferLike => (isShared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes))
