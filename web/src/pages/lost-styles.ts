/** How long the sheets of other pages are waited for, in milliseconds: a page may share one of them. */
const moment = 3_000

/**
 * Puts style sheets in again that did not come, before a page is shown.
 * @param own paths of the sheets that the page is known to need: without them it is not shown; the others fail nobody
 * @throws Error in Vite's words, of a sheet of its own
 */
export async function mendStyles(lost: Set<HTMLLinkElement>, own: ReadonlySet<string>): Promise<void> {
  const links = [...lost]
  lost.clear()
  const isOwn = ({ href }: HTMLLinkElement) => own.has(new URL(href).pathname)
  const others = Promise.allSettled(links.filter((link) => !isOwn(link)).map(putInAgain))
  await Promise.all(links.filter(isOwn).map(putInAgain))
  let timer: ReturnType<typeof setTimeout> | undefined
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, moment)
  })
  await Promise.race([others, enough]).finally(() => clearTimeout(timer))
}

function putInAgain(broken: HTMLLinkElement): Promise<void> {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = broken.href
  const done = new Promise<void>((resolve, reject) => {
    link.addEventListener('load', () => resolve())
    link.addEventListener('error', () => reject(new Error(`Unable to preload CSS for ${link.href}`)))
  })
  broken.replaceWith(link)
  return done
}
