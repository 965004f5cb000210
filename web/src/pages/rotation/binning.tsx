import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { AnalysisPage } from '../../quant/analysis-page.tsx'
import { BinningView } from '../../quant/binning/binning-view.tsx'
import { useTemplate } from '../../quant/templates/use-template.ts'
import { useDraft } from '../../quant/use-draft.ts'
import { fetchChartSoon } from '../../ui/chart/use-chart.ts'

/**
 * 分箱分析: does a factor sort what came after; `?factor=` names it. Who comes with a factor and has no rule yet looks at it over a blank one,
 * not at a choice of templates.
 */
export function BinningPage() {
  useEffect(fetchChartSoon, [])
  const [query] = useSearchParams()
  const { draft, options, lost } = useDraft()
  const begin = useTemplate()
  const comes = query.has('factor') && !draft
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as soon as the data's dates are known
  useEffect(() => {
    if (comes && options) begin(null)
  }, [comes, options])
  if (comes && !lost) return <main id="main" className="analysis" aria-busy="true" />
  return <AnalysisPage>{(draft) => <BinningView draft={draft} />}</AnalysisPage>
}
