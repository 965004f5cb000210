import { mostVisited } from '../../features/site-status/visits.ts'
import { pageAt, titleAt } from '../../routing/page-at.ts'
import { isOpen } from '../../routing/page-table.ts'
import { PageLink } from '../../ui/page-link.tsx'

/** Fallback for a device without visits. */
const usual = ['/rotation/convertible-bond/screen', '/rotation/convertible-bond/backtest', '/rotation/stock/screen']
const most = 3

/** The three pages used most on this device. */
export function OftenUsed() {
  return (
    <nav aria-label="常用页面">
      {often().map((path) => (
        <PageLink key={path} to={path} className="link">
          {titleAt(path)}
        </PageLink>
      ))}
    </nav>
  )
}

function often(): readonly string[] {
  const visited = mostVisited().filter((path) => {
    const page = pageAt(path)
    return page !== undefined && isOpen(page) && !page.byLink && !page.leads
  })
  return [...new Set([...visited, ...usual])].slice(0, most)
}
