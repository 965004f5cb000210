import { calls } from '@convexa/contract/calls'
import { metricLabel } from '@convexa/contract/enums/metric'
import type { ReportCore } from '@convexa/contract/report'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { call } from '../../../api/client.ts'
import { securitiesQuery } from '../../../api/queries.ts'
import { signedPercent } from '../../../base/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { ChartCard } from '../../../ui/chart/chart-card.tsx'
import { ScrollBox } from '../../../ui/chart/scroll-box.tsx'
import { Row } from '../../../ui/layout.tsx'
import { ErrorBlock } from '../../../ui/states.tsx'
import { Table } from '../../../ui/table/table.tsx'
import { useFactors } from '../../rule/factors.ts'
import { asPercent, captionOf, csvOf, fileNameOf } from '../files.ts'
import { type Progress, runChanges } from './run-changes.ts'
import styles from './sensitivity.module.css'
import { type Bar, byWidth, ownBars } from './tornado.ts'
import { TornadoBars } from './tornado-bars.tsx'
import { type Rule, variantsOf } from './variants.ts'

/** How much the annual return moves when something small is changed: from the stored days at once, by quick runs on demand. */
export function TornadoCard({ report, shared }: { report: ReportCore; shared: boolean }) {
  const own = useMemo(() => ownBars(report), [report])
  const changes = useChanges(report)
  const annual = report.metrics.annual_return
  const { progress } = changes
  if (annual === null)
    return (
      <Card title="参数敏感性">
        <p className="text-2">区间太短，没有年化可比。</p>
      </Card>
    )
  const groups: readonly (readonly [string, readonly Bar[], number])[] = [
    ['少了这些', byWidth(own, annual), annual],
    ...(progress ? [['换一点参数', byWidth(progress.bars, progress.base), progress.base] as const] : []),
  ]
  return (
    <ChartCard
      title="参数敏感性"
      note="年化收益 · 参数微调就变样，多半是过拟合"
      pictured
      fileName={fileNameOf(report, '敏感性')}
      caption={captionOf(report, '参数敏感性', metricLabel('annual_return'))}
      csv={() =>
        csvOf(
          report,
          ['哪一组', '改动', '说明', '年化最低(%)', '年化最高(%)', '当前年化(%)'],
          groups.flatMap(([group, bars, base]) =>
            bars.map(({ name, terms, low, high }) => [group, name, terms, asPercent(low), asPercent(high), asPercent(base)]),
          ),
        )
      }
      table={() => <ChangesTable groups={groups} />}
    >
      <div className={styles.tornadoPair}>
        <section>
          <h3 className="subhead">
            少了这些会怎样<span>用这份报告的日收益重算</span>
          </h3>
          <TornadoBars bars={byWidth(own, annual)} base={annual} />
        </section>
        {report.parameters && !shared ? (
          <Changes {...changes} />
        ) : (
          <section>
            <h3 className="subhead">换一点参数会怎样</h3>
            <p className="text-2">
              {shared ? '分享页不重新计算；用「用我的数据重算」打开后可以运行。' : '策略组没有自己的参数，请看各成员的报告。'}
            </p>
          </section>
        )}
      </div>
    </ChartCard>
  )
}

const ChangesTable = ({ groups }: { groups: readonly (readonly [string, readonly Bar[], number])[] }) => (
  <ScrollBox label="参数敏感性表" className="chart-table">
    <Table
      dense
      columns={[
        { label: '改动' },
        { label: '说明' },
        { label: '年化最低', numeric: true },
        { label: '年化最高', numeric: true },
        { label: '当前', numeric: true },
      ]}
    >
      {groups.flatMap(([group, bars, base]) =>
        bars.map(({ key, name, terms, low, high }) => (
          <tr key={`${group} ${key}`}>
            <td>{name}</td>
            <td className="text-2">{terms}</td>
            <td className="number">{signedPercent(low)}</td>
            <td className="number">{signedPercent(high)}</td>
            <td className="number">{signedPercent(base)}</td>
          </tr>
        )),
      )}
    </Table>
  </ScrollBox>
)

/** Quick runs of small changes, when they are asked for; they end with the page. */
function useChanges(report: ReportCore) {
  const { factors } = useFactors(report.kind)
  const [wanted, setWanted] = useState(false)
  const { data: securities, error: unlisted, refetch } = useQuery({ ...securitiesQuery(report.kind), enabled: wanted })
  const [progress, setProgress] = useState<Progress | null>(null)
  const [error, setError] = useState<unknown>(null)
  const running = useRef<AbortController | null>(null)
  const [busy, setBusy] = useState(false)
  useEffect(() => () => running.current?.abort(), [])
  useEffect(() => {
    if (!wanted || !securities || !report.parameters) return
    setWanted(false)
    const codes = securities.map(({ code }) => code)
    const rule = { parameters: report.parameters, settings: report.settings }
    const variants = variantsOf(rule, factors.nameOf, codes, '只', report.curves.dates)
    const control = new AbortController()
    running.current = control
    setError(null)
    setBusy(true)
    const annualOf = async (body: Rule) =>
      (await call(calls[report.kind].quickBacktest, { body }, { signal: control.signal })).metrics.annual_return
    runChanges(rule, variants, annualOf, setProgress)
      .catch((failure: unknown) => !control.signal.aborted && setError(failure))
      .finally(() => setBusy(false))
  }, [wanted, securities, report, factors])
  const start = () => {
    setWanted(true)
    if (unlisted) void refetch()
  }
  const failure = error ?? (wanted ? unlisted : null)
  return { progress, error: failure, busy, wanted: wanted && !unlisted, start, cancel: () => running.current?.abort() }
}

function Changes({ progress, error, busy, wanted, start, cancel }: ReturnType<typeof useChanges>) {
  return (
    <section aria-busy={busy}>
      <h3 className="subhead">
        换一点参数会怎样
        <span>参数上下各 20%，或按行内说明；速览口径（理想成交），不计入尝试次数</span>
      </h3>
      {error ? <ErrorBlock error={error} still="已经算出的行保留在下面。" onRetry={start} /> : null}
      {progress && progress.bars.length > 0 && <TornadoBars bars={byWidth(progress.bars, progress.base)} base={progress.base} />}
      <Row gap={8} wrap className={`screen-only size-12 ${styles.tornadoRun}`}>
        {busy ? (
          <>
            <span className="spinner" />
            <span role="status">{progress ? `正在运行 ${progress.done} / ${progress.of}` : '正在准备…'}</span>
            <Button look={['small']} onClick={cancel}>
              取消
            </Button>
          </>
        ) : (
          <>
            <Button look={['small']} icon="play" disabled={wanted} onClick={start}>
              {progress ? '重新运行' : '运行'}
            </Button>
            <span className="text-3">
              {progress
                ? `运行 ${progress.done} 次，用时 ${progress.seconds.toFixed(1)} 秒；当前 ${signedPercent(progress.base)}（速览）`
                : '大约二十次速览，每次不到一秒。'}
            </span>
          </>
        )}
      </Row>
    </section>
  )
}
