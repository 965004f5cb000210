import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** A page of /proc/…/statm. 4 KiB on the platforms we run on but arm64 kernels built for 16 or 64 KiB pages. */
const pageBytes = process.platform === 'linux' ? linuxPageBytes() : 4096

/** Resident memory of a process in bytes; null where it is unknown (the process has ended, or the platform does not say). */
export function residentBytes(pid: number): number | null {
  if (process.platform !== 'linux') return otherResidentBytes(pid)
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]) * pageBytes
  } catch {
    return null
  }
}

let lastAsked = 0
let lastAnswer: number | null = null

/** `ps` costs milliseconds: asked at most once a second. */
function otherResidentBytes(pid: number): number | null {
  if (process.platform === 'win32') return null
  if (performance.now() - lastAsked < 1_000) return lastAnswer
  lastAsked = performance.now()
  const kib = Number(spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).stdout)
  return (lastAnswer = Number.isFinite(kib) && kib > 0 ? kib * 1024 : null)
}

function linuxPageBytes(): number {
  // VmRSS is in KiB, statm in pages: the quotient, rounded to a power of two, is the page.
  const kib = Number(/VmRSS:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'latin1'))?.[1])
  const pages = Number(readFileSync('/proc/self/statm', 'latin1').split(' ')[1])
  return 2 ** Math.round(Math.log2((kib * 1024) / pages))
}
