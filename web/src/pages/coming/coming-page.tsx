import { useLocation } from 'react-router'
import { PageLink } from '../../ui/page-link.tsx'
import { BackButton, HomeLink, Notice } from '../notice.tsx'
import { chainAt } from '../page-at.ts'
import { shownChildren } from '../page-table.ts'

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
    >
      <p>
        {coming}
        这个页面正在制作，开放后会出现在菜单里。
      </p>
      {beside.length > 0 && (
        <nav aria-label="同类页面">
          {beside.map(({ path, title }) => (
            <PageLink key={path} to={path} className="link">
              {title}
            </PageLink>
          ))}
        </nav>
      )}
    </Notice>
  )
}
