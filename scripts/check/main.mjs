// The checks of the house (decisions/0180): numbers of the sources, each held by a limit of limits.json that only falls.
// `node scripts/check/main.mjs [check …]`: all of them, or those named with their first ten offenders each. `--all` shows every offender,
// `--lower` writes limits that have become too high. Ends with status 1 where a number is above its limit.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import stylelintConfig from '../../web/stylelint.config.mjs'
import { checks } from './checks.mjs'
import { judge } from './judge.mjs'
import { readTree } from './tree.mjs'

const root = dirname(dirname(import.meta.dirname))
const limitsFile = fileURLToPath(new URL('limits.json', import.meta.url))
const knipConfig = fileURLToPath(new URL('knip.json', import.meta.url))

const { values, positionals } = parseArgs({ options: { all: { type: 'boolean' }, lower: { type: 'boolean' } }, allowPositionals: true })
const unknown = positionals.filter((name) => !(name in checks))
if (unknown.length > 0) throw new Error(`no check is called ${unknown.join(', ')}: ${Object.keys(checks).join(', ')}`)

const limits = JSON.parse(readFileSync(limitsFile, 'utf8'))
const asked = positionals.length > 0 ? Object.fromEntries(positionals.map((name) => [name, checks[name]])) : checks
const { failed, falling } = await judge(readTree(root), asked, limits, {
  print: console.log,
  context: { root, stylelintConfig, knipConfig },
  detailed: positionals.length > 0,
  every: values.all ?? false,
})

if (values.lower) {
  for (const [key, limit] of Object.entries(falling)) limits[key].limit = limit
  writeFileSync(limitsFile, `${JSON.stringify(limits, null, 2)}\n`)
} else {
  for (const [key, limit] of Object.entries(falling)) console.log(`the limit of "${key}" can be lowered to ${limit} (--lower)`)
}
if (failed.length > 0) console.log(`${failed.length} numbers are above their limits (scripts/check/limits.json)`)
process.exitCode = failed.length > 0 ? 1 : 0
