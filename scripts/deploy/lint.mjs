// `npm run lint:deploy [-- --write]`: each file of deploy/ by our own rules, and by the linters of others where they are found (`npm run tools`).
// What was not found is named at the end and counts as skipped, never as passed. `--write`: writes what is generated first.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dashboardFile, dashboardText, ownChecks } from './checks.mjs'
import { root } from './find-tool.mjs'
import { foreignChecks } from './foreign-checks.mjs'
import { closingLine } from './verdict.mjs'

if (process.argv.includes('--write')) writeFileSync(join(root, dashboardFile), dashboardText())

let checked = 0
const missing = []
let faulty = 0
for (const { name, by, needs, faults } of [...ownChecks, ...foreignChecks]) {
  const lacking = needs?.() ?? null
  if (lacking !== null) {
    missing.push(lacking)
    console.log(`跳过  ${name}（未找到 ${lacking}）`)
    continue
  }
  const found = faults()
  checked++
  if (found.length > 0) faulty++
  console.log(`${found.length === 0 ? '通过' : '错误'}  ${name}（${by ?? '自有规则'}）`)
  for (const one of found) console.log(`      ${one}`)
}
console.log(closingLine({ checked, faulty, missing }))
process.exit(faulty === 0 ? 0 : 1)
