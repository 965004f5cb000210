import { useEffect } from 'react'
import { AnalysisPage } from '../../quant/analysis-page.tsx'
import { GridView } from '../../quant/grid/grid-view.tsx'
import { fetchChartSoon } from '../../ui/chart/use-chart.ts'

/** 参数网格: is a result a plateau or a lucky spike. */
export function GridPage() {
  useEffect(fetchChartSoon, [])
  return <AnalysisPage>{(draft) => <GridView draft={draft} />}</AnalysisPage>
}
