import { useMemo } from 'react'
import { Link, type LinkProps, NavLink, type NavLinkProps, useResolvedPath } from 'react-router'
import { prefetchHandlers, prefetchWhenSeen } from './prefetch.ts'

/** What fetching ahead needs for itself. */
type Taken = 'ref' | 'onPointerEnter' | 'onPointerLeave' | 'onFocus' | 'onBlur'

/** A link whose page is fetched ahead. */
export function PageLink(props: Omit<LinkProps, Taken>) {
  return <Link {...props} {...useLinkPrefetch(props.to)} />
}

/** The same, marked while its page is shown. */
export function PageNavLink(props: Omit<NavLinkProps, Taken>) {
  return <NavLink {...props} {...useLinkPrefetch(props.to)} />
}

/** Attributes of a link that fetch its page ahead. */
export function useLinkPrefetch(to: LinkProps['to']) {
  const { pathname } = useResolvedPath(to)
  return useMemo(
    () => ({
      ref: (link: HTMLAnchorElement | null) => (link ? prefetchWhenSeen(link, pathname) : undefined),
      ...prefetchHandlers(pathname),
    }),
    [pathname],
  )
}
