import { useSite } from '../api/site.ts'

/** The tab's title: the page, what it belongs to, and this installation's name. */
export const PageTitle = ({ children }: { children: string | readonly string[] }) => {
  const { name } = useSite()
  return <title>{[children, name].flat().join(' · ')}</title>
}
