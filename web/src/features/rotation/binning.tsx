import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { fetchChartSoon } from '../../ui/chart/use-chart.ts'
import { BinningView } from '../binning/binning-view.tsx'
import { useDraft } from '../rule/use-draft.ts'
import { useTemplate } from '../templates/use-template.ts'
import { AnalysisPage } from './analysis-page.tsx'

/**
 * 分箱分析: whether a factor sorts later returns; `?factor=` names it. A link with a factor starts from a blank rule where there is
 * no draft, instead of a choice of templates.
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
