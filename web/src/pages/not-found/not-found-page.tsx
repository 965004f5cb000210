import { useLocation } from 'react-router'
import { BackButton, HomeLink, Notice } from '../../features/site-status/notice.tsx'
import { OftenUsed } from './often-used.tsx'
import { PageSearch } from './page-search.tsx'
import './not-found.css'

export function NotFoundPage() {
  const { pathname } = useLocation()
  return (
    <Notice
      mark="404"
      title="页面不存在"
      ways={
        <>
          <HomeLink />
          <BackButton />
        </>
      }
      more={
        <>
          <PageSearch />
          <OftenUsed />
        </>
      }
    >
      <p>
        你访问的 <code className="mono">{decoded(pathname)}</code> 没有找到。
      </p>
    </Notice>
  )
}

/** As it was typed; what cannot be read back stays as it is. */
function decoded(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
