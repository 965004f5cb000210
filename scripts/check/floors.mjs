// Inside a package, folders import downwards only. The order is floors.json: floors from the lowest up, folders of one floor do not import
// each other, `*` stands for the files directly in src that are not named.
import { readFileSync } from 'node:fs'
import { isSource, isStyleguide, lineAt, packages } from './paths.mjs'

const floors = JSON.parse(readFileSync(new URL('floors.json', import.meta.url), 'utf8'))
/** @returns the floors of a package from the lowest up, each a list of folders */
export const floorsOf = (name) => floors[name]

/** Pairs of folders that may import each other, at most ten, each with its reason. */
const allowedPairs = {
  'web: features/screen ⇄ features/security': "the security's facts read the running screen",
}

export function floorChecks(tree) {
  const edges = packages.flatMap((name) => edgesOf(tree, name))
  const pairs = mutualPairs(edges)
  const upward = edges.filter(goesUp)
  const placeless = withoutFloor(tree)
  return [
    { name: 'pairs of folders that import each other', value: pairs.length, offenders: pairs },
    {
      name: 'imports of a higher folder',
      value: upward.length,
      offenders: upward.map(({ file, line, from, to }) => ({ file, line, text: `${from} imports ${to}` })),
    },
    { name: 'folders without a floor', value: placeless.length, offenders: placeless },
  ]
}

/** All imports from one folder of a package's src into another, of types too. */
function edgesOf(tree, name) {
  const src = `${name}/src/`
  return tree.paths
    .filter((path) => path.startsWith(src) && isSource(path) && !isStyleguide(path))
    .flatMap((file) =>
      tree.factsOf(file).imports.flatMap(({ from, at }) => {
        if (!/^\.\.?\//.test(from)) return []
        const target = new URL(from, `file:///${file}`).pathname.slice(1)
        if (!target.startsWith(src)) return []
        const [a, b] = [unitOf(file.slice(src.length)), unitOf(target.slice(src.length))]
        return a === b ? [] : [{ name, file, line: lineAt(tree.textOf(file), at), from: a, to: b }]
      }),
    )
}

/** The folder by which a file counts: its first, below features its first two; of a file directly in src its own name. */
function unitOf(path) {
  const segments = path.split('/')
  return segments.slice(0, segments[0] === 'features' && segments.length > 2 ? 2 : 1).join('/')
}

const isFile = (unit) => /\.[a-z]+$/.test(unit)

function mutualPairs(edges) {
  // Files directly in src are one folder here.
  const unit = (one) => (isFile(one) ? '(src)' : one)
  const byArrow = Map.groupBy(edges, ({ name, from, to }) => `${name}: ${unit(from)} → ${unit(to)}`)
  const pairs = []
  for (const { name, from, to } of new Map(
    edges.map((edge) => [`${edge.name}: ${[unit(edge.from), unit(edge.to)].sort().join(' ⇄ ')}`, edge]),
  ).values()) {
    const [a, b] = [unit(from), unit(to)].sort()
    const there = byArrow.get(`${name}: ${a} → ${b}`)
    const back = byArrow.get(`${name}: ${b} → ${a}`)
    if (a === b || !there || !back || `${name}: ${a} ⇄ ${b}` in allowedPairs) continue
    const thin = there.length <= back.length ? there : back
    pairs.push({
      file: thin[0].file,
      line: thin[0].line,
      text: `${a} ⇄ ${b}: ${thin.length} against ${Math.max(there.length, back.length)} imports`,
    })
  }
  return pairs.sort((a, b) => (a.file < b.file ? -1 : 1))
}

function floorOf(name, unit) {
  const own = floors[name].findIndex((floor) => floor.includes(unit))
  return own < 0 && isFile(unit) ? floors[name].findIndex((floor) => floor.includes('*')) : own
}

function goesUp({ name, from, to }) {
  const [a, b] = [floorOf(name, from), floorOf(name, to)]
  if (a < 0 || b < 0 || `${name}: ${[from, to].sort().join(' ⇄ ')}` in allowedPairs) return false
  return a < b || (a === b && !isFile(from))
}

function withoutFloor(tree) {
  const found = new Map()
  for (const path of tree.paths.filter((each) => isSource(each) && !isStyleguide(each))) {
    const [name, , ...rest] = path.split('/')
    const unit = unitOf(rest.join('/'))
    if (floorOf(name, unit) < 0 && !found.has(`${name}/src/${unit}`))
      found.set(`${name}/src/${unit}`, { file: `${name}/src/${unit}`, text: 'has no place in scripts/check/floors.json' })
  }
  return [...found.values()]
}
