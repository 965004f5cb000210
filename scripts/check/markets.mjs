// Markets differ by their records (contract/src/enums, engine/src/market, server/src/market): no code compares a market's name.
import { isTest, lineAt } from './paths.mjs'

const names = new Set(['cb', 'stk'])
const places = /^(contract|engine|server|web|bench|e2e)\/src\/.*\.tsx?$/

export function markets(tree) {
  const offenders = tree.paths
    .filter((path) => places.test(path) && !isTest(path))
    .flatMap((path) => {
      const { comparisons, switches } = tree.factsOf(path)
      const found = [
        ...comparisons
          .filter(({ value }) => names.has(value))
          .map(({ name, value, at }) => ({ at, text: `${name ?? '…'} compared with '${value}'` })),
        ...switches
          .filter(({ values }) => values.some((value) => names.has(value)))
          .map(({ name, at }) => ({ at, text: `switch over the market ${name ?? '…'}` })),
      ]
      return found.map(({ at, text }) => ({ file: path, line: lineAt(tree.textOf(path), at), text }))
    })
  return [
    { name: 'comparisons with a market in the packages', ...split(offenders, /^(contract|engine|server|web)\//) },
    // They choose data of one market.
    { name: 'comparisons with a market in bench', ...split(offenders, /^bench\//) },
    { name: 'comparisons with a market in e2e', ...split(offenders, /^e2e\//) },
  ]
}

function split(offenders, place) {
  const own = offenders.filter(({ file }) => place.test(file))
  return { value: own.length, offenders: own }
}
