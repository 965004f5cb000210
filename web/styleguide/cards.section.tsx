import { CallError } from '../src/api/messages.ts'
import { Button } from '../src/ui/button.tsx'
import { Card } from '../src/ui/card.tsx'
import { Segmented } from '../src/ui/controls.tsx'
import { toast } from '../src/ui/toast.tsx'
import type { StyleguideSection } from './section-file.ts'

export const sections: readonly StyleguideSection[] = [{ key: 'cards', title: '卡片与状态', Component: Cards }]

const columns = [
  { head: '名次', width: 56, bar: 14, numeric: true },
  { head: '代码', bar: 54 },
  { head: '名称', bar: 64 },
  { head: '得分', width: 64, bar: 24, numeric: true },
  { head: '现价(元)', width: 80, bar: 42, numeric: true },
]
const failure = new CallError('response', '读取数据异常', 50000, 'E-70231')
const said = () => toast.info('已点按')

/** Made up. */
const rows = [
  ['1', '演示转债356', '119.544', '+0.50%', 'up'],
  ['2', '演示转债207', '115.232', '−1.06%', 'down'],
  ['3', '演示转债12', '106.351', '+0.71%', 'up'],
  ['4', '演示转债575', '—', '—', 'flat'],
] as const

const Rows = () => (
  <table className="table compact">
    <thead>
      <tr>
        <th className="number">名次</th>
        <th>名称</th>
        <th className="number">现价(元)</th>
        <th className="number">涨跌幅</th>
      </tr>
    </thead>
    <tbody>
      {rows.map(([rank, name, price, change, tone]) => (
        <tr key={rank}>
          <td className="number">{rank}</td>
          <td>{name}</td>
          <td className="number">{price}</td>
          <td className={`number ${tone}`}>{change}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

function Cards() {
  return (
    <div className="samples cards">
      <Card title="名单" note="2026-11-20 14:32 · 4 只" fold="styleguide.card" bare foot="名次按得分从高到低；得分相同时按代码。">
        <Rows />
      </Card>
      <Card
        title="一个标题很长很长的卡片，它的口径也很长"
        note="2022-08-01 ~ 2026-11-19 · 单边成本 0.10% · 按收盘价成交"
        tools={
          <Segmented
            label="口径"
            value="a"
            choices={[
              { value: 'a', label: '绝对' },
              { value: 'b', label: '超额' },
            ]}
            onChange={said}
          />
        }
      >
        <p className="note">标题不折行，口径先被截断，工具留在右侧。</p>
      </Card>
      <Card title="加载骨架" note="真实列宽，400 毫秒后出现" bare state={{ kind: 'loading', columns, rows: 5, onCancel: said }} />
      <Card
        title="空"
        note="一句话、一个主操作、一个去处"
        state={{
          kind: 'empty',
          title: '没有符合条件的证券',
          text: '「收盘价 大于 90 元则剔除」移除了 198 只，是影响最大的一条。',
          action: { label: '放宽这一条', act: said },
          link: { label: '看被剔除的名单', act: said },
        }}
      />
      <Card
        title="错误可重试"
        note="发生了什么、什么还能用、怎么办"
        state={{ kind: 'error', error: failure, still: '名单没有更新。策略条件与上次结果都还在，可以继续编辑。', onRetry: said }}
      />
      <Card
        title="超时"
        note="保留本地预览，不清空"
        state={{
          kind: 'timeout',
          title: '计算超时（60 秒），已保留本地预览',
          text: '组合较多时更容易超时，减少到 100 组以内通常在 20 秒内完成。',
          onRetry: said,
          other: { label: '减少组数', act: said },
        }}
      >
        <div className="sample-preview">
          本地预览 <b>95.4</b> 演示转债437 得分，未核对
        </div>
      </Card>
      <Card
        title="数据过期"
        note="旧数据半透明，时间点转琥珀"
        bare
        state={{ kind: 'stale', words: '行情停在 14:21:40，已 10 分钟未更新', onRefresh: said }}
      >
        <Rows />
      </Card>
      <Card
        title="刷新中"
        note="旧数据留着，顶部 2 px"
        bare
        state={{ kind: 'refreshing', onCancel: said }}
        tools={<Button look={['small']}>导出</Button>}
      >
        <Rows />
      </Card>
    </div>
  )
}
