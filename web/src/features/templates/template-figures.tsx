import type { Settings } from '@convexa/contract/backtest'
import type { MarketId } from '@convexa/contract/enums/market'
import { metricLabel } from '@convexa/contract/enums/metric'
import type { Template } from '@convexa/contract/reference'
import { signedPercent, tone } from '../../base/format.ts'
import { VipHint } from '../../ui/vip-hint.tsx'
import { Term } from '../help/term.tsx'
import { isRunnable } from '../rule/draft.ts'
import { interestWords } from '../rule/interest-text.ts'
import { figuresOf, runOf, type TemplateFigures, useTemplateRuns } from './template-runs.ts'

/** What a template's own run came to on the data of now; a sentence where there has been none. */
export function Figures({
  kind,
  template,
  settings,
  dataVersion,
}: {
  kind: MarketId
  template: Template
  settings: Settings | null
  dataVersion: string | null
}) {
  const state = useTemplateRuns()
  const figures = settings && figuresOf(state, kind, template, settings, dataVersion)
  const run = runOf(state, kind, template)
  return (
    <div className="template-figures" aria-live="polite">
      {run?.kind === 'running' ? (
        <span className="text-3">
          <span className="spinner" /> 正在当前数据上运行…
        </span>
      ) : run?.kind === 'failed' ? (
        <span className="warn">
          没有跑成：{run.sentence} <VipHint refusal={run.sentence} />
        </span>
      ) : figures ? (
        <Numbers figures={figures} />
      ) : (
        <span className="text-3">{isRunnable(template) ? '此模板还没有在当前数据上跑过' : '只有剔除条件，不单独回测'}</span>
      )}
    </div>
  )
}

function Numbers({ figures: { annual, drawdown, recent, start, end, dataVersion, interest } }: { figures: TemplateFigures }) {
  const leftOut = interestWords(interest)
  return (
    <>
      <dl>
        <div>
          <dt>
            <Term k="annual_return">年化</Term>
          </dt>
          <dd className={tone(annual)}>{signedPercent(annual)}</dd>
        </div>
        <div>
          <dt>
            <Term k="max_drawdown">回撤</Term>
          </dt>
          <dd>{signedPercent(drawdown)}</dd>
        </div>
        <div>
          <dt>
            <Term k="recent">{metricLabel('recent_1y')}</Term>
          </dt>
          <dd className={tone(recent)}>{signedPercent(recent)}</dd>
        </div>
      </dl>
      <p className="text-3" title={`理想成交的速览运行，数据版本 ${dataVersion}`}>
        速览 {start} ~ {end} · {dataVersion}
        {leftOut && ` · ${leftOut}`}
      </p>
    </>
  )
}
