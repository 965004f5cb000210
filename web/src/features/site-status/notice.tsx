import type { ReactNode } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { useSite } from '../../api/site.ts'
import { chainAt } from '../../routing/page-at.ts'
import { type Page, publicPages } from '../../routing/page-table.ts'
import { isAuthenticated } from '../../state/auth.ts'
import { Button } from '../../ui/button.tsx'
import { Icon, type IconName, Logo } from '../../ui/icon.tsx'
import { Row } from '../../ui/layout.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import styles from './notice.module.css'

/** One thing said in the middle of the page, and the ways on. Outside the main layout it carries the brand itself. */
export function Notice({
  mark,
  icon,
  title,
  ways,
  children,
  more,
}: {
  mark?: string
  icon?: IconName
  title: string
  ways: ReactNode
  children: ReactNode
  more?: ReactNode
}) {
  const { name } = useSite()
  const chain = chainAt(useLocation().pathname)
  const alone = isAlone(chain)
  // A frame around it, such as a market with its tabs, has the page's heading already.
  const Heading = chain.length > 1 && chain.some(({ code, leads }) => code && leads) ? 'h2' : 'h1'
  return (
    <main className={alone ? `notice ${styles.alone}` : 'notice'} id="main">
      {alone && (
        <Link to="/" className={styles.noticeBrand}>
          <Logo />
          {name}
        </Link>
      )}
      <span className={styles.noticeMark} aria-hidden="true">
        {icon ? <Icon name={icon} /> : mark}
      </span>
      <Heading>{title}</Heading>
      {children}
      <Row gap={8} align="stretch" wrap className="notice-ways">
        {ways}
      </Row>
      {more}
    </main>
  )
}

/** True without header and menu: on public pages, and at unknown addresses when nobody is logged in. */
function isAlone(chain: readonly Page[]): boolean {
  return chain[0] ? publicPages.includes(chain[0]) : !isAuthenticated()
}

/** Link that works from any notice. */
export const HomeLink = () => (
  <PageLink to="/" className="button primary">
    {isAuthenticated() ? '返回工作台' : '去登录'}
  </PageLink>
)

export function BackButton() {
  const navigate = useNavigate()
  // The first page of a tab has nothing before it.
  if (window.history.length < 2) return null
  return <Button onClick={() => navigate(-1)}>返回上一页</Button>
}
