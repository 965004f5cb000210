import { type ComponentType, lazy } from 'react'

const Nothing = () => null

/**
 * `lazy` with a fallback, for parts above or beside a page. Where their code does not load, `lazy` would throw and take the page along; here the
 * fallback stands in their place. A browser does not ask for a failed script again: until the page is loaded anew it stays so.
 */
export const lazyWithFallback = <P extends object>(fetch: () => Promise<ComponentType<P>>, otherwise: ComponentType<P> = Nothing) =>
  lazy(async () => ({ default: await fetch().catch(() => otherwise) }))
