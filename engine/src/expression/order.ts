import type { Node, Operand } from './graph.ts'

/** Nodes that are computed together: either none or all of them read whole rows of securities. */
interface StageMembers {
  readonly crossSection: boolean
  readonly members: readonly number[]
  /** Results that are constants: they have no member. */
  readonly answers: readonly number[]
}

export interface Order {
  readonly stages: readonly StageMembers[]
  /** The stage of each node; −1 = not needed, or a constant. */
  readonly stageOf: Int32Array
  /** The last stage that reads it; that of the node itself where no other does. */
  readonly lastRead: Int32Array
  /** 1 where all that read it are of its own stage, which is one of strips. */
  readonly isLocal: Uint8Array
  /** Results by their node. */
  readonly answersOf: ReadonlyMap<number, readonly number[]>
}

/**
 * Result after result, each with those of its nodes that none before it had: so what is made for one is soon read and forgotten.
 * Within a result by levels: columns, cross-sections of them, columns of those …
 */
export function orderOf(nodes: readonly Node[], roots: readonly Operand[], days: readonly (Uint8Array | null)[]): Order {
  const isSection = (n: number) => {
    const node = nodes[n]
    return node.kind === 'operation' && node.operation.crossSection === true
  }
  const needed = (n: number) => days[n] !== null && nodes[n].kind !== 'constant'
  const isStriped = !nodes.some((_, n) => needed(n) && isSection(n))
  const group = isStriped ? new Int32Array(nodes.length) : groupsOf(nodes, roots)
  const keys = new Map<number, { crossSection: boolean; members: number[]; answers: number[] }>()
  const keyOf = (n: number, level: number) => (group[n] * 4096 + level) * 2 + Number(isSection(n))
  const stageAt = (key: number) => {
    const known = keys.get(key) ?? { crossSection: key % 2 === 1, members: [], answers: [] }
    keys.set(key, known)
    return known
  }
  const level = new Int32Array(nodes.length)
  nodes.forEach((node, n) => {
    if (!needed(n)) return
    if (node.kind === 'operation') {
      for (const { node: of, delay } of node.inputs) {
        if (nodes[of].kind === 'constant' || group[of] < group[n]) continue
        // Sections of the same day may follow each other; one that looks back waits until all days are there.
        const isNext = isSection(of) && (!isSection(n) || delay > 0)
        level[n] = Math.max(level[n], level[of] + Number(isNext))
      }
    }
    stageAt(keyOf(n, level[n])).members.push(n)
  })
  const answersOf = new Map<number, number[]>()
  roots.forEach(({ node }, r) => {
    if (needed(node)) answersOf.set(node, [...(answersOf.get(node) ?? []), r])
    else stageAt(0).answers.push(r)
  })
  const stages = [...keys].sort(([a], [b]) => a - b).map(([, stage]) => stage)
  const stageOf = new Int32Array(nodes.length).fill(-1)
  stages.forEach(({ members }, s) => {
    for (const n of members) stageOf[n] = s
  })
  return { stages, stageOf, answersOf, ...readersOf(nodes, stageOf, stages) }
}

/** The first result that needs each node. */
function groupsOf(nodes: readonly Node[], roots: readonly Operand[]): Int32Array {
  const group = new Int32Array(nodes.length).fill(-1)
  roots.forEach(({ node: root }, r) => {
    const open = [root]
    for (let n = open.pop(); n !== undefined; n = open.pop()) {
      if (group[n] >= 0) continue
      group[n] = r
      const node = nodes[n]
      if (node.kind === 'operation') for (const input of node.inputs) open.push(input.node)
    }
  })
  return group
}

function readersOf(nodes: readonly Node[], stageOf: Int32Array, stages: readonly StageMembers[]): Pick<Order, 'lastRead' | 'isLocal'> {
  const lastRead = Int32Array.from(stageOf)
  const isLocal = Uint8Array.from(stageOf, (stage) => Number(stage >= 0 && !stages[stage].crossSection))
  nodes.forEach((node, n) => {
    if (stageOf[n] < 0 || node.kind !== 'operation') return
    for (const { node: of } of node.inputs) {
      if (stageOf[of] < 0) continue
      lastRead[of] = Math.max(lastRead[of], stageOf[n])
      if (stageOf[of] !== stageOf[n]) isLocal[of] = 0
    }
  })
  return { lastRead, isLocal }
}
