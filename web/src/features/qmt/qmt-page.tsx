import { Outlet, useLocation } from 'react-router'
import { usePhone } from '../../base/use-phone.ts'
import { pageAt } from '../../routing/page-at.ts'
import { shownChildren } from '../../routing/page-table.ts'
import { useTabKeys } from '../../routing/use-tab-keys.ts'
import { Row } from '../../ui/layout.tsx'
import { PageNavLink } from '../../ui/page-link.tsx'
import { OpenQuestions } from './questions/open-questions.tsx'
import './qmt.module.css'

/** The pages of QMT under one head; on the phone the bar's menu leads from one to the other. */
export function QmtPage() {
  const { pathname } = useLocation()
  const phone = usePhone()
  const frame = pageAt('/qmt')
  const tabs = frame ? shownChildren(frame) : []
  useTabKeys(tabs)
  return (
    <>
      {phone ? (
        <h1 className="hidden-text">{pageAt(pathname)?.title}</h1>
      ) : (
        <Row as="section" gap={8} className="subheader" aria-label="QMT 实盘导航">
          <h1>QMT 实盘</h1>
          <nav className="tabs" aria-label="QMT 实盘">
            {tabs.map(({ path, title }) => (
              <PageNavLink key={path} to={path}>
                {title}
                {path === '/qmt/config' && <OpenQuestions asks />}
              </PageNavLink>
            ))}
          </nav>
        </Row>
      )}
      <Outlet />
    </>
  )
}
