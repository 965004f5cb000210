import { useEffect } from 'react'
import { fetchChartSoon } from '../../ui/chart/use-chart.ts'
import { GridView } from '../grid/grid-view.tsx'
import { AnalysisPage } from './analysis-page.tsx'

/** 参数网格: is a result a plateau or a lucky spike. */
export function GridPage() {
  useEffect(fetchChartSoon, [])
  return <AnalysisPage>{(draft) => <GridView draft={draft} />}</AnalysisPage>
}
