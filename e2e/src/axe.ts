import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** A selector, or all but some. */
type Part = string | { exclude: readonly string[] }

interface Finding {
  id: string
  impact: string | null
  nodes: { html: string; failureSummary: string }[]
}

/** Rules of axe whose findings are never serious: `region` alone takes a fifth of the time of all. */
const lighter = [
  ...['aria-allowed-role', 'aria-deprecated-role', 'empty-heading', 'empty-table-header', 'form-field-multiple-labels', 'heading-order'],
  ...['html-xml-lang-mismatch', 'image-redundant-alt', 'landmark-banner-is-top-level', 'landmark-contentinfo-is-top-level'],
  ...['landmark-main-is-top-level', 'landmark-no-duplicate-banner', 'landmark-no-duplicate-contentinfo', 'landmark-no-duplicate-main'],
  ...['landmark-one-main', 'landmark-unique', 'meta-viewport', 'meta-viewport-large', 'no-autoplay-audio', 'page-has-heading-one'],
  ...['presentation-role-conflict', 'region', 'scope-attr-valid', 'server-side-image-map', 'skip-link', 'table-duplicate-name'],
]
const rules = Object.fromEntries(lighter.map((rule) => [rule, { enabled: false }]))

/** Serious and critical findings of axe in a part of the page as it is: rule, element and what is wrong with it. */
export const seriousFaults = (page: Page, part: Part = 'html'): Promise<string[]> => faultsOf(page, part, { rules })

/** The same page in its dark look. Of all rules only the one of contrast asks for colours; the others have been asked in the light. */
export async function darkFaults(page: Page, part: Part = 'html'): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.waitForFunction(() => document.documentElement.dataset['theme'] === 'dark')
  return faultsOf(page, part, { runOnly: ['color-contrast'] })
}

/** Until nothing on the page moves or fades any more; what turns for ever is not waited for. */
export const still = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const ends = ({ playState, effect }: Animation) =>
      playState === 'running' && effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY
    // The end of one may begin another, as what comes in after what went.
    for (let ending: Animation[] | null = null; ending === null || ending.length > 0; ) {
      await frame()
      await frame()
      ending = document.getAnimations().filter(ends)
      await Promise.allSettled(ending.map(({ finished }) => finished))
    }
  })

async function faultsOf(page: Page, part: Part, options: object): Promise<string[]> {
  // A colour on its way to another is neither.
  await still(page)
  const asked = { resultTypes: ['violations'], preload: false, ...options }
  // By the debugger's way in: the page's own policy allows no foreign script. Once per document.
  const findings = (await page.evaluate(
    `(() => { if (!window.axe) { ${source} }; return axe.run(${JSON.stringify(part)}, ${JSON.stringify(asked)}).then((found) => found.violations) })()`,
  )) as Finding[]
  return findings
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary.split('\n')[1] ?? ''}`),
    )
}
