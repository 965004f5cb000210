import { useQuery } from '@tanstack/react-query'
import { Badge } from '../../../ui/tag.tsx'
import { qmtConfigsQuery } from '../qmt-queries.ts'

/**
 * How much waits for an answer of the user, as a mark in a menu; nothing where nothing does.
 * @param asks false: by what a page has asked for already
 */
export function OpenQuestions({ asks }: { asks: boolean }) {
  const { data } = useQuery({ ...qmtConfigsQuery, enabled: asks })
  const open = data?.list_items.reduce((sum, { questions }) => sum + questions, 0) ?? 0
  if (open === 0) return null
  return (
    <Badge look="warn">
      {open}
      <span className="hidden-text"> 项待核对</span>
    </Badge>
  )
}
