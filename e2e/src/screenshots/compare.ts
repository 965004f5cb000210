/**
 * `npm run screenshots:compare -- before after`: two sets of screenshots (`npm run screenshots -- --out before`) pixel by pixel. Prints what
 * differs, the most first, and writes before, after and difference of each onto one page, e2e/artefacts/compared/index.html. Nothing is
 * judged: a screen of which more than 0.5 % changed, or which grew or shrank by more than 2 %, is to be looked at.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { PNG } from 'pngjs'
import { folderOf } from './comparable.ts'
import { type Compared, compare, isToLookAt } from './compared.ts'

const { positionals } = parseArgs({ allowPositionals: true })
const [before, after] = positionals
if (before === undefined || after === undefined)
  throw new Error('two sets of screenshots are named: npm run screenshots:compare -- before after')
const folders = { before: folderOf(before), after: folderOf(after), compared: folderOf('compared') }
const picturesIn = (folder: string) => readdirSync(folder).filter((file) => file.endsWith('.png') && file !== 'sheet.png')
const read = (folder: string, file: string) => PNG.sync.read(readFileSync(`${folder}${file}`))

const percent = (value: number) => `${(value * 100).toFixed(2)} %`.padStart(9)

const inBefore = new Set(picturesIn(folders.before))
const inAfter = new Set(picturesIn(folders.after))
rmSync(folders.compared, { recursive: true, force: true })
mkdirSync(folders.compared, { recursive: true })

const rows: ({ file: string } & Pick<Compared, 'changed' | 'grown'>)[] = []
for (const file of [...inBefore].filter((each) => inAfter.has(each))) {
  const { difference, ...figures } = compare(read(folders.before, file), read(folders.after, file))
  rows.push({ file, ...figures })
  if (figures.changed === 0 && figures.grown === 0) continue
  const { width, height, data } = difference
  writeFileSync(`${folders.compared}${file}`, PNG.sync.write(Object.assign(new PNG({ width, height }), { data: Buffer.from(data) })))
}
const differing = rows.filter(({ changed, grown }) => changed > 0 || grown !== 0).sort((a, b) => b.changed - a.changed)
const toLookAt = differing.filter(isToLookAt)
writeFileSync(`${folders.compared}index.html`, pageOf(differing))

for (const row of differing) console.log(`${isToLookAt(row) ? '!' : ' '} ${percent(row.changed)} ${percent(row.grown)}  ${row.file}`)
for (const file of [...inBefore].filter((each) => !inAfter.has(each))) console.log(`only before: ${file}`)
for (const file of [...inAfter].filter((each) => !inBefore.has(each))) console.log(`only after: ${file}`)
console.log(
  `${rows.length} screens compared, ${differing.length} differ, ${toLookAt.length} to look at (pixels changed, height grown): ${folders.compared}index.html`,
)
process.exitCode = rows.length > 0 ? 0 : 1

function pageOf(differing: readonly (typeof rows)[number][]): string {
  const picture = (address: string) => `<a href="${address}"><img loading="lazy" src="${address}"></a>`
  return `<!doctype html><meta charset="utf-8"><title>Screenshots compared</title>
<style>body{font:14px sans-serif;margin:16px}div{display:flex;gap:12px;align-items:start}a{flex:1;border:1px solid #999}img{width:100%;display:block}h2.look{color:#a8071a}</style>
${differing
  .map(
    (row) => `<h2${isToLookAt(row) ? ' class="look"' : ''}>${row.file}: ${percent(row.changed)} changed, ${percent(row.grown)} grown</h2>
<div>${picture(new URL(`file://${folders.before}${row.file}`).href)}${picture(new URL(`file://${folders.after}${row.file}`).href)}${picture(row.file)}</div>`,
  )
  .join('\n')}
`
}
