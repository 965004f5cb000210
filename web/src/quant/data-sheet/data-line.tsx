import type { Kind } from '@convexa/contract/market'
import { useQuery } from '@tanstack/react-query'
import { useSite } from '../../state/site.ts'
import { DataFoot } from '../../ui/data-foot.tsx'
import { dataSheetQuery } from './data-sheet-query.ts'
import { type Figures, sourceWords, untilWords } from './source-words.ts'

/** The foot of a block of figures of a market: its sources by name where they are known. `mode` is the site's where an answer does not say. */
export function DataLine({ kind, ...given }: { kind: Kind } & Omit<Figures, 'mode'> & Partial<Pick<Figures, 'mode'>>) {
  const site = useSite()
  const { data } = useQuery(dataSheetQuery(kind, [], site.data_version[kind], site.features.live_quotes))
  const figures: Figures = { mode: site.data_mode[kind], ...given }
  return <DataFoot source={sourceWords(figures, data ?? null)} until={untilWords(figures)} />
}
