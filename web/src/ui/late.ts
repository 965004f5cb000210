import { type ComponentType, lazy } from 'react'

const Nothing = () => null

/**
 * `lazy` for what lies above or beside a page. Where its code does not come, `lazy` would throw and take along all that stands around it;
 * here something else stands in its place. A browser does not ask for a failed script again: until the page is loaded anew it stays so.
 */
export const late = <P extends object>(fetch: () => Promise<ComponentType<P>>, otherwise: ComponentType<P> = Nothing) =>
  lazy(async () => ({ default: await fetch().catch(() => otherwise) }))
