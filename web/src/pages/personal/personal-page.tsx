import { Outlet, useLocation } from 'react-router'
import { PageNavLink } from '../../ui/page-link.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import { accountPages } from '../layout/menu.ts'
import { pageAt } from '../page-at.ts'
import { useTabKeys } from '../use-tab-keys.ts'

/** The account's pages under one head. The phone has no room for tabs: there the profile lists them. */
export function PersonalPage() {
  const { pathname } = useLocation()
  const phone = usePhone()
  useTabKeys(accountPages)
  return (
    <>
      {phone ? (
        <h1 className="hidden-text">{pageAt(pathname)?.title}</h1>
      ) : (
        <section className="subheader" aria-label="个人中心导航">
          <h1>个人中心</h1>
          <nav className="tabs" aria-label="个人中心">
            {accountPages.map(({ path, title }) => (
              <PageNavLink key={path} to={path}>
                {title}
              </PageNavLink>
            ))}
          </nav>
        </section>
      )}
      <Outlet />
    </>
  )
}
