/**
 * The memory that rows are computed in, and the WebAssembly kernels that work on it. It is shared memory, so that threads can
 * work on the same rows; where there is none (a browser without isolation) it is private, and where there is no WebAssembly at
 * all rows are plain memory and every operation takes its JavaScript twin, which gives the same bits.
 */
import { base64, sharedFlag } from './bytes.ts'

/** Mostly: out, number of cells, table of the inputs' addresses, and what else the kernel wants. Those of sliding.ts take other numbers. */
export type WasmKernel = (
  out: number,
  count: number,
  table: number,
  first: number,
  second: number,
  third: number,
  ...more: number[]
) => void
export type Kernels = Readonly<Record<string, WasmKernel>>

export interface Arena {
  readonly cells: Float64Array
  readonly words: Uint32Array
  readonly bytes: Uint8Array
  readonly kernels: Kernels | null
  /** Where other threads may work too. */
  readonly memory: WebAssembly.Memory | null
}

const page = 65_536
/** What a memory may hold at most: addresses have 32 bits. */
const mostPages = 65_536
/** A memory larger than this is given back after use. */
const kept = 256 * 1024 * 1024

interface Opened {
  readonly memory: WebAssembly.Memory
  readonly kernels: Kernels
}

let opened: Opened | null = null
let isMissing = false

/** Room for so many bytes, from address 0 on; what was in it before is undefined. */
export function arenaOf(bytes: number, withKernels = true): Arena {
  const found = withKernels && bytes <= page * mostPages ? privateMemory(bytes) : null
  if (!found) return viewsOf(new ArrayBuffer(Math.ceil(bytes / 8) * 8), null)
  const { memory, kernels } = found
  return viewsOf(memory.buffer, kernels, isShared ? memory : null)
}

/** Memory of one's own, for what is kept from call to call; all 0. */
export function ownArena(bytes: number): Arena {
  if (!isMissing) {
    try {
      const { memory, kernels } = open(Math.ceil(bytes / page))
      return viewsOf(memory.buffer, kernels)
    } catch {
      // No WebAssembly here, or no room for it.
    }
  }
  return viewsOf(new ArrayBuffer(Math.ceil(bytes / 8) * 8), null)
}

/** The memory of another thread, for this one to work on too. */
export const arenaOn = (memory: WebAssembly.Memory): Arena => viewsOf(memory.buffer, kernelsOn(memory), memory)

/** Frees the memory of the arena where it is too large to be kept for the next calculation. */
export function trimArena(): void {
  if (opened && opened.memory.buffer.byteLength > kept) forget()
}

/** The next calculation gets another memory. */
export function forget(): void {
  opened = null
}

function viewsOf(buffer: ArrayBuffer | SharedArrayBuffer, kernels: Kernels | null, memory: WebAssembly.Memory | null = null): Arena {
  return { cells: new Float64Array(buffer), words: new Uint32Array(buffer), bytes: new Uint8Array(buffer), kernels, memory }
}

function growTo(memory: WebAssembly.Memory, bytes: number): void {
  const missing = Math.ceil((bytes - memory.buffer.byteLength) / page)
  if (missing > 0) memory.grow(missing)
}

function privateMemory(bytes: number): Opened | null {
  if (isMissing) return null
  try {
    opened ??= open(1)
    growTo(opened.memory, bytes)
    return opened
  } catch (error) {
    // No WebAssembly here, or no room for more: plain memory will do, or say that there is none.
    if (!opened) isMissing = true
    else if (!(error instanceof RangeError)) throw error
    return null
  }
}

let module: WebAssembly.Module | null = null

const isShared = typeof SharedArrayBuffer === 'function'

function open(pages: number): Opened {
  const memory = new WebAssembly.Memory({ initial: pages, maximum: mostPages, shared: isShared })
  return { memory, kernels: kernelsOn(memory) }
}

function kernelsOn(memory: WebAssembly.Memory): Kernels {
  if (!module) {
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
    if (!isShared) bytes[sharedFlag] = 1
    module = new WebAssembly.Module(bytes)
  }
  return new WebAssembly.Instance(module, { env: { memory } }).exports as Kernels
}
