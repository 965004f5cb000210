import type { MarketId } from '@convexa/contract/enums/market'
import { useQuery } from '@tanstack/react-query'
import { useSite } from '../../api/site.ts'
import { DataFoot } from '../../ui/data-foot.tsx'
import { dataSheetQuery, dataSourcesQuery } from './data-sheet-query.ts'
import { type Figures, sourceWords, untilWords } from './source-text.ts'

/** The foot of a block of figures of a market: the sources of their data version by name, where they are known. `mode` is the site's where an answer does not say. */
export function DataLine({ kind, ...given }: { kind: MarketId } & Omit<Figures, 'mode'> & Partial<Pick<Figures, 'mode'>>) {
  const site = useSite()
  const figures: Figures = { mode: site.data_mode[kind], ...given }
  const { data } = useQuery(dataSheetQuery(kind, [], site.data_version[kind], site.features.live_quotes))
  const isOlder = data !== undefined && data.data_version !== figures.version && figures.mode !== 'demo'
  const older = useQuery({ ...dataSourcesQuery(kind, figures.version), enabled: isOlder })
  return <DataFoot source={sourceWords(figures, data ?? null, older.data?.sources)} note={`截至 ${untilWords(figures)}`} />
}
