/** Most bytes that the pool of a thread keeps. */
const most = 48 * 1024 * 1024
/** Smaller buffers are allocated faster than found. */
const least = 4 * 1024

/** Free list: released buffers, the newest last. */
const free: ArrayBufferLike[] = []

/**
 * Buffer pool for the large tables of a calculation: the next calculation reuses them. New memory costs a page fault for each of its pages, and
 * after 64 MB of it V8 collects all garbage, which takes longer than ranking a market of bonds. Forgetting to release a buffer is safe; it only
 * loses reuse.
 */
export class BufferPool {
  #taken: ArrayBufferLike[] = []

  /** Cells with old contents. Other threads may work on them too. */
  doubles(cells: number): Float64Array {
    return new Float64Array(this.#take(8 * cells), 0, cells)
  }

  bytes(count: number): Uint8Array {
    return new Uint8Array(this.#take(count), 0, count)
  }

  /** Returns all its buffers to the pool; they must not be read any more. */
  release(): void {
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
