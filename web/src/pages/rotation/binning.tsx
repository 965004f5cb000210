import { useEffect } from 'react'
import { AnalysisPage } from '../../quant/analysis-page.tsx'
import { BinningView } from '../../quant/binning/binning-view.tsx'
import { fetchChartSoon } from '../../ui/chart/use-chart.ts'

/** 分箱分析: does a factor sort what came after; `?factor=` names it. */
export function BinningPage() {
  useEffect(fetchChartSoon, [])
  return <AnalysisPage>{(draft) => <BinningView draft={draft} />}</AnalysisPage>
}
