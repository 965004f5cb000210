import axe from 'axe-core'

/** Until nothing moves or fades any more: a colour on its way to another has no contrast of its own. */
async function stillPage(): Promise<void> {
  const frame = () => new Promise(requestAnimationFrame)
  const finite = ({ playState, effect }: Animation) =>
    playState === 'running' && effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY
  await frame()
  await frame()
  await Promise.allSettled(
    document
      .getAnimations()
      .filter(finite)
      .map(({ finished }) => finished),
  )
}

/** Rules of a whole page that a part alone cannot keep. */
const ofPages = ['landmark-one-main', 'page-has-heading-one', 'region', 'bypass', 'document-title']

/**
 * Serious and critical findings of axe in light and in dark: theme, rule and element. Of all rules only the one of contrast asks for
 * colours: the others are asked once. `exclude`: selectors of what is faded on purpose.
 */
export async function axeFaults({ exclude = [] }: { exclude?: string[] } = {}): Promise<string[]> {
  const faults: string[] = []
  for (const theme of ['light', 'dark']) {
    document.documentElement.dataset['theme'] = theme
    await stillPage()
    // The library's focus guards hand the focus on as soon as they have it: nobody stands on one.
    const { violations } = await axe.run(
      { include: ['body'], exclude: ['[data-base-ui-focus-guard]', ...exclude] },
      {
        resultTypes: ['violations'],
        ...(theme === 'light'
          ? { rules: Object.fromEntries(ofPages.map((rule) => [rule, { enabled: false }])) }
          : { runOnly: ['color-contrast'] }),
      },
    )
    for (const { id, impact, nodes } of violations) {
      if (impact !== 'serious' && impact !== 'critical') continue
      faults.push(
        ...nodes.map(({ html, failureSummary }) => `${theme} ${id}: ${html.slice(0, 160)} ${failureSummary?.split('\n')[1] ?? ''}`),
      )
    }
  }
  document.documentElement.dataset['theme'] = 'light'
  return faults
}
