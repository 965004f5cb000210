// Markets differ by their records (contract/src/enums, engine/src/market, server/src/market, web/src/market): no code compares a market's
// name, and none but the contract's record lists them.
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
  const lists = tree.paths
    .filter((path) => /^(contract|engine|server|web)\/src\/.*\.tsx?$/.test(path) && !isTest(path))
    .flatMap((path) => listsIn(path, tree))
  return [
    { name: 'lists of the markets in the packages', value: lists.length, offenders: lists },
    { name: 'comparisons with a market in the packages', ...split(offenders, /^(contract|engine|server|web)\//) },
    // They choose data of one market.
    { name: 'comparisons with a market in bench', ...split(offenders, /^bench\//) },
    { name: 'comparisons with a market in e2e', ...split(offenders, /^e2e\//) },
  ]
}

/** Two names of markets beside each other: an array or a type that a new market would not be in. */
function listsIn(file, tree) {
  const text = tree.textOf(file)
  const named = tree.factsOf(file).literals.filter((literal) => names.has(literal.text))
  const ends = new Set(named.map((literal) => literal.at + literal.text.length + 2))
  return named.flatMap(({ at }) => {
    const gap = /\s*[,|]\s*$/.exec(text.slice(0, at))
    return gap && ends.has(gap.index) ? [{ file, line: lineAt(text, at), text: text.slice(gap.index - 5, at + 5) }] : []
  })
}

function split(offenders, place) {
  const own = offenders.filter(({ file }) => place.test(file))
  return { value: own.length, offenders: own }
}
