// What the code uses of ECMAScript and DOM that some supported browser lacks: each only where it is missing, with the standard's behaviour.
// The page has it before its first module where start.js finds one missing (Chromium 109 to 119, Safari 16.4 to 17.3), and only there; a worker
// of ours imports it first of all. web/scripts/compat.mjs tells what is missing here, or not needed.

function fill(owner: object, name: string, value: unknown): void {
  if (!(name in owner)) Object.defineProperty(owner, name, { value, writable: true, configurable: true })
}

const arrays = {
  toReversed<T>(this: ArrayLike<T>): T[] {
    return Array.from(this).reverse()
  },
  toSorted<T>(this: ArrayLike<T>, compare?: (a: T, b: T) => number): T[] {
    return Array.from(this).sort(compare)
  },
}

const typedArrays = {
  toReversed(this: Float64Array): Float64Array {
    return this.slice().reverse()
  },
  toSorted(this: Float64Array, compare?: (a: number, b: number) => number): Float64Array {
    return this.slice().sort(compare)
  },
}

/** Aborts with the first of them and with its reason. */
function any(signals: Iterable<AbortSignal>): AbortSignal {
  const joined = new AbortController()
  for (const signal of signals) {
    if (signal.aborted) joined.abort(signal.reason)
    else signal.addEventListener('abort', () => joined.abort(signal.reason), { once: true, signal: joined.signal })
  }
  return joined.signal
}

function canParse(url: string | URL, base?: string | URL): boolean {
  try {
    return Boolean(new URL(url, base))
  } catch {
    return false
  }
}

for (const [name, method] of Object.entries(arrays)) fill(Array.prototype, name, method)
for (const [name, method] of Object.entries(typedArrays)) fill(Object.getPrototypeOf(Int8Array.prototype), name, method)
fill(AbortSignal, 'any', any)
fill(URL, 'canParse', canParse)

export {}
