/** A thread of a crew (together.ts): computes its part of each group, and says when it is done. */
import { parentPort, workerData } from 'node:worker_threads'
import { type Expression, evaluateAll } from '@convexa/engine/expression'
import { alphaOf } from './formulas.ts'
import type { ThreadData, ThreadTask } from './together.ts'

const { crew, panel } = workerData as ThreadData
const compiled = new Map<number, Expression>()

parentPort!.on('message', ({ alphas, into }: ThreadTask) => {
  try {
    for (const alpha of alphas) if (!compiled.has(alpha)) compiled.set(alpha, alphaOf(alpha, panel))
    const expressions = alphas.map((alpha) => compiled.get(alpha)!)
    evaluateAll(expressions, panel, undefined, { crew, into })
    parentPort!.postMessage(null)
  } catch (error) {
    parentPort!.postMessage(String(error))
  }
})
parentPort!.postMessage('ready')
