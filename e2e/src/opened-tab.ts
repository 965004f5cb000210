import type { Page } from 'playwright-core'

/**
 * What a press opens beside the page, by the browser's own word. Playwright's event `page` does not come for every tab that a link opens
 * by Ctrl: on a busy machine it was missing for ten of eighty, which the browser had opened and loaded.
 * @returns the address of the new tab, which is closed again
 */
export async function openedTab(page: Page, press: () => Promise<unknown>): Promise<URL> {
  const own = await page.context().newCDPSession(page)
  const { targetInfo: opener } = await own.send('Target.getTargetInfo')
  await own.detach()
  const session = await page.context().browser()!.newBrowserCDPSession()
  try {
    const before = new Set((await session.send('Target.getTargets')).targetInfos.map(({ targetId }) => targetId))
    const opened = new Promise<{ targetId: string; url: string }>((resolve) => {
      const hear = ({ targetInfo }: { targetInfo: { targetId: string; url: string; browserContextId?: string } }) => {
        const isNew = targetInfo.browserContextId === opener.browserContextId && !before.has(targetInfo.targetId)
        if (isNew && /^https?:/.test(targetInfo.url)) resolve(targetInfo)
      }
      session.on('Target.targetCreated', hear)
      session.on('Target.targetInfoChanged', hear)
    })
    await session.send('Target.setDiscoverTargets', { discover: true })
    await press()
    const { targetId, url } = await opened
    await session.send('Target.closeTarget', { targetId })
    return new URL(url)
  } finally {
    await session.detach()
  }
}
