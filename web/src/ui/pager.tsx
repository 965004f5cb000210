import { Button } from './button.tsx'
import './pager.css'

/** Where a page of a list stands in it, and the ways to its neighbours. */
export function Pager({
  label,
  offset,
  shown,
  total,
  limit,
  onGo,
}: {
  label: string
  offset: number
  /** Rows on this page. */
  shown: number
  total: number
  limit: number
  onGo: (offset: number) => void
}) {
  return (
    <nav className="pager" aria-label={`${label}分页`}>
      <span className="text-3">
        第 {offset + 1}–{offset + shown} 条，共 {total} 条
      </span>
      <span className="grow" />
      <Button look={['small']} disabled={offset === 0} onClick={() => onGo(Math.max(0, offset - limit))}>
        上一页
      </Button>
      <Button look={['small']} disabled={offset + limit >= total} onClick={() => onGo(offset + limit)}>
        下一页
      </Button>
    </nav>
  )
}

/** Only whole pages: an address that says otherwise shows the page that it points into. */
export function pageStart(text: string | null, limit: number): number {
  const offset = Number(text)
  return Number.isSafeInteger(offset) && offset > 0 ? Math.floor(offset / limit) * limit : 0
}
