// CPU time of this process and all its descendants, in seconds of user and system time. Linux adds the time of an ended process to the
// parent that waited for it, which is exact. An orphan (a worker of a killed api, a database that stays) is reaped by another process, so all
// descendants are sampled every two seconds; only what an orphan computes after the last sample is missed.
import { readdirSync, readFileSync } from 'node:fs'

/** USER_HZ, in which /proc counts: the same on every Linux that Node runs on. */
const ticksPerSecond = 100
const interval = 2_000

/**
 * Counts from now on.
 * @returns what gives the seconds until then, null where the system does not tell: anywhere but on Linux
 */
export function countComputing() {
  if (process.platform !== 'linux') return () => null
  const own = statOf(process.pid)
  let family = new Map([[own.key, own]])
  let lost = 0
  const look = () => {
    const now = familyIn(processes(), family)
    lost += lostBetween(family, now)
    family = now
  }
  setInterval(look, interval).unref()
  return () => {
    look()
    let ticks = lost - own.took - own.waitedFor
    for (const { took, waitedFor } of family.values()) ticks += took + waitedFor
    return ticks / ticksPerSecond
  }
}

/** CPU time of this process and of its children that have ended, in seconds; null where the system does not tell. */
export function ownComputing() {
  const own = process.platform === 'linux' ? statOf(process.pid) : null
  return own && (own.took + own.waitedFor) / ticksPerSecond
}

/** The members that still live, and all that descend from them. */
export function familyIn(living, members) {
  const children = new Map()
  for (const one of living.values()) children.set(one.parent, [...(children.get(one.parent) ?? []), one])
  const family = new Map()
  const add = (one) => {
    if (family.has(one.key)) return
    family.set(one.key, one)
    for (const child of children.get(one.pid) ?? []) add(child)
  }
  for (const { pid, key } of members.values()) if (living.get(pid)?.key === key) add(living.get(pid))
  return family
}

/**
 * Ticks of ended members that no surviving ancestor has counted: the nearest one should have gained them in `waitedFor`, and what is short of
 * that is lost.
 */
export function lostBetween(before, now) {
  const byPid = new Map([...before.values()].map((one) => [one.pid, one]))
  const owed = new Map()
  let lost = 0
  for (const one of before.values()) {
    if (now.has(one.key)) continue
    let heir = byPid.get(one.parent)
    while (heir && !now.has(heir.key)) heir = byPid.get(heir.parent)
    if (heir) owed.set(heir.key, (owed.get(heir.key) ?? 0) + one.took + one.waitedFor)
    else lost += one.took + one.waitedFor
  }
  for (const [key, ticks] of owed) lost += Math.max(0, ticks - (now.get(key).waitedFor - before.get(key).waitedFor))
  return lost
}

function processes() {
  const living = new Map()
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : null
    if (stat) living.set(stat.pid, stat)
  }
  return living
}

/** proc_pid_stat(5). A pid is used again, a pid with its moment of starting is not. */
function statOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name before it may hold anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const field = (number) => Number(fields[number - 3])
    return { pid, key: `${pid} ${field(22)}`, parent: field(4), took: field(14) + field(15), waitedFor: field(16) + field(17) }
  } catch {
    return null
  }
}

/** About half a second of arithmetic, always the same, in seconds of computing: the least of three. It tells how quick a machine is. */
export function fixedLoop() {
  let least = Number.POSITIVE_INFINITY
  for (let time = 0; time < 3; time++) {
    const before = process.cpuUsage()
    let state = 1
    let sum = 0
    for (let i = 0; i < 3e8; i++) {
      state = (Math.imul(state, 1664525) + 1013904223) | 0
      sum += Math.sqrt(i) * (state >> 16)
    }
    const { user, system } = process.cpuUsage(before)
    if (!Number.isFinite(sum)) throw new Error('the loop has lost its sum')
    least = Math.min(least, (user + system) / 1e6)
  }
  return least
}
