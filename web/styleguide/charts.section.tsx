import { CallError } from '../src/api/messages.ts'
import type { CardState } from '../src/ui/card-state.tsx'
import { ChartCard } from '../src/ui/chart/chart-card.tsx'
import { toast } from '../src/ui/toast.tsx'
import { height, made } from './chart-numbers.tsx'
import { BarsSample, HeatSample, HistogramSample, ScatterSample, SparkSample } from './charts-of-values.tsx'
import { CandlesSample, LinesSample, LongLine, NavSample } from './charts-over-time.tsx'
import type { StyleguideSection } from './section-file.ts'

export const sections: readonly StyleguideSection[] = [{ key: 'charts', title: '图', Component: Charts }]

function Charts() {
  return (
    <>
      <p className="note" style={{ marginBottom: 12 }}>
        这一节的数字全部是编造的，只用来看图的样子，与任何行情、任何策略无关。
      </p>
      <div className="samples charts">
        <NavSample title="净值与回撤" />
        <NavSample title="净值随回放生长" part={0.6} />
        <LinesSample />
        <LongLine />
        <BarsSample />
        <HistogramSample />
        <ScatterSample />
        <CandlesSample />
        <div className="wide">
          <HeatSample />
        </div>
        <div className="wide">
          <SparkSample />
        </div>
      </div>
      <div className="samples" style={{ marginTop: 12 }}>
        <Waiting title="加载中的图" state={{ kind: 'loading', rows: 4 }} />
        <Waiting
          title="没有数据的图"
          state={{ kind: 'empty', icon: 'chart', title: '选择因子后运行', text: '运行后在这里画出各箱净值。' }}
        />
        <Waiting
          title="没有读到的图"
          state={{
            kind: 'error',
            error: new CallError('network', '网络连接失败，请检查网络'),
            still: '上次的结论还在上方。',
            onRetry: () => toast.info('已点按'),
          }}
        />
      </div>
    </>
  )
}

const Waiting = ({ title, state }: { title: string; state: CardState }) => (
  <ChartCard title={title} note={made} state={state} height={height} table={() => null}>
    {null}
  </ChartCard>
)
