import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Finding {
  id: string
  impact: string | null
  nodes: { html: string }[]
}

/** Serious and critical findings of axe in a part of the page as it is: rule and element. */
export async function seriousFaults(page: Page, part = 'html'): Promise<string[]> {
  // By the debugger's way in: the page's own policy allows no foreign script.
  const findings = (await page.evaluate(
    `(() => { ${source}; return axe.run(${JSON.stringify(part)}).then((found) => found.violations) })()`,
  )) as Finding[]
  return findings
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))
}
