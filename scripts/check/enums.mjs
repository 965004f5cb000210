// One home for each enum, its table in contract/src/enums: labels stand nowhere else, and no code compares an enum's field with one of its
// values, but asks a property of the row, or branches by a record or a switch that ends in `satisfies never`.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isSource, lineAt } from './paths.mjs'

const home = 'contract/src/enums/'
/** Each enum: its file and table, the wire fields that hold it, and its values while the table is not there. */
const enums = JSON.parse(readFileSync(new URL('enums.json', import.meta.url), 'utf8'))

const labelsAtOnce = 3
/** Files that say three labels of an enum for a reason of their own. */
const exemptFiles = {
  'engine/src/bond/rating-yields.ts': 'a rating is its own label, and curves are found by it',
  'server/src/feeds/tushare/lists.ts': 'words of the source',
}
/** Comparisons that stay, at most ten, each with its reason: `file: field`. */
const exemptComparisons = {
  'server/src/market/demo/bonds.ts: status': 'the place of a state of calls, in the loop over days; no run and no order',
  'web/src/features/qmt/account/account-columns.tsx: status': 'an account is reported or not; no run and no order',
}
/** Lookups of texts, not of an enum: what the table lacks is right as it is. */
const exemptLookups = {
  'server/src/cli/program.ts: title': 'headings of commander, of which only some are Chinese in the table',
  'web/src/features/palette/sources.ts: title': 'initials of a title; one without Chinese has none',
  'web/src/features/current-list/list-changes.ts: code': 'the name of a security that the day no longer lists is its code',
  'web/src/base/pinyin.ts: word': 'a word that is read otherwise; all others are themselves',
}

export async function enumChecks(tree, { root }) {
  const tables = await tablesOf(tree, root)
  const sources = tree.paths.filter((path) => isSource(path) && !path.startsWith(home))
  const valuesByField = new Map()
  for (const { table, fields, values = [] } of enums) {
    const own = tables.get(table)?.values ?? values
    for (const field of fields.flatMap((each) => [each, camel(each)]))
      valuesByField.set(field, new Set([...(valuesByField.get(field) ?? []), ...own]))
  }
  const missing = [...new Set(enums.map(({ file }) => file))].filter((file) => !tree.has(`${home}${file}`))
  const unfitting = enums.filter(({ file, table, values }) => (tables.has(table) ? values !== undefined : tree.has(`${home}${file}`)))
  const second = sources.flatMap((file) => secondTables(tree, file, tables))
  const branches = sources.flatMap((file) => branchesIn(tree, file, valuesByField))
  const count = (name, offenders) => ({ name, value: offenders.length, offenders })
  return [
    count(
      'enums without a table',
      missing.map((file) => ({ file: `${home}${file}`, text: 'is missing' })),
    ),
    count(
      'rows of enums.json beside their table',
      unfitting.map(({ file, table }) => ({
        file: `${home}${file}`,
        text: tables.has(table) ? `has ${table}: its values do not stand twice` : `has no ${table}`,
      })),
    ),
    count(`files that hold ${labelsAtOnce} labels of an enum`, [
      ...second.filter(({ file }) => !(file in exemptFiles)),
      ...needlessly(tree, second),
    ]),
    count(
      'comparisons with a value of an enum',
      branches.filter(({ kind, file, field }) => kind === 'comparison' && !(`${file}: ${field}` in exemptComparisons)),
    ),
    count(
      'lookups that show the value where the table lacks it',
      sources.flatMap((file) => fallbacksIn(tree, file)),
    ),
    count(
      'switches over an enum without `satisfies never`',
      branches.filter(({ kind }) => kind === 'switch'),
    ),
  ]
}

const camel = (name) => name.replaceAll(/_([a-z])/g, (_, letter) => letter.toUpperCase())

/** Tables by name, each with its values as the wire writes them and its labels. They import nothing outside their folder. */
async function tablesOf(tree, root) {
  const tables = new Map()
  for (const file of tree.paths.filter((path) => path.startsWith(home) && isSource(path) && !path.endsWith('/table.ts'))) {
    for (const [name, table] of Object.entries(await import(pathToFileURL(join(root, file)).href))) {
      if (typeof table !== 'object' || table === null) continue
      const rows = Object.values(table)
      const values = Array.isArray(table)
        ? rows.map(({ value }) => value)
        : Object.keys(table).map((key) => (/^\d+$/.test(key) ? Number(key) : key))
      tables.set(name, { values, labels: new Set(rows.flatMap(({ label, byMarket = {} }) => [label, ...Object.values(byMarket)])) })
    }
  }
  return tables
}

function secondTables(tree, file, tables) {
  const { literals, keys } = tree.factsOf(file)
  const said = new Map([...literals.map(({ text, at }) => [text.trim(), at]), ...keys.map(({ name, at }) => [name, at])])
  return [...tables].flatMap(([name, { labels }]) => {
    const own = [...labels].filter((label) => said.has(label))
    if (own.length < labelsAtOnce) return []
    return [{ file, line: lineAt(tree.textOf(file), said.get(own[0])), text: `${own.join(', ')} of ${name}` }]
  })
}

/** `labels[value] ?? value`: a forgotten value is shown as it is on the wire, in silence. */
const fallbacksIn = (tree, file) =>
  tree
    .factsOf(file)
    .fallbacks.filter(({ name }) => !(`${file}: ${name}` in exemptLookups))
    .map(({ name, at }) => ({ file, line: lineAt(tree.textOf(file), at), text: `…[${name}] ?? ${name}` }))

/** What is exempt without need is struck off. */
const needlessly = (tree, second) =>
  Object.keys(exemptFiles)
    .filter((file) => tree.has(file) && !second.some((each) => each.file === file))
    .map((file) => ({ file, text: 'is exempt and holds no labels' }))

function branchesIn(tree, file, valuesByField) {
  const { comparisons, switches } = tree.factsOf(file)
  const text = tree.textOf(file)
  const compared = comparisons
    .filter(({ name, value }) => valuesByField.get(name)?.has(value))
    .map(({ name, value, at }) => ({
      kind: 'comparison',
      file,
      field: name,
      line: lineAt(text, at),
      text: `${name} compared with ${JSON.stringify(value)}`,
    }))
  const open = switches
    .filter(({ name, values, exhaustive }) => !exhaustive && values.some((value) => valuesByField.get(name)?.has(value)))
    .map(({ name, at }) => ({ kind: 'switch', file, field: name, line: lineAt(text, at), text: `switch over ${name}` }))
  return [...compared, ...open]
}
