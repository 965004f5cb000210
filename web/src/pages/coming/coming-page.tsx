import { useLocation } from 'react-router'
import { PageLink } from '../../ui/page-link.tsx'
import { BackButton, HomeLink, Notice } from '../notice.tsx'
import { chainAt } from '../page-at.ts'
import { type Page, shownChildren } from '../page-table.ts'

/** In the place of a page that is still to come: what it will be, that it is not open, and where else to go. */
export function ComingPage() {
  const chain = chainAt(useLocation().pathname)
  const page = chain.at(-1)
  const coming = chain.findLast((one) => one.coming)?.coming
  const beside = chain.flatMap(shownChildren).filter((one) => one !== page && !one.leads)
  return (
    <Notice
      icon="calendar"
      title={`${page?.title ?? ''}还没有开放`}
      ways={
        <>
          <HomeLink />
          <BackButton />
        </>
      }
      more={<Beside pages={beside} />}
    >
      <p>
        {coming}
        这个页面正在制作，开放后会出现在菜单里。
      </p>
    </Notice>
  )
}

function Beside({ pages }: { pages: readonly Page[] }) {
  if (pages.length === 0) return null
  return (
    <nav aria-label="同类页面">
      {pages.map(({ path, title }) => (
        <PageLink key={path} to={path} className="link">
          {title}
        </PageLink>
      ))}
    </nav>
  )
}
