import type { BinningResult } from '@convexa/contract/binning'
import { isSynthetic } from '@convexa/contract/enums/data-mode'
import type { ReactNode } from 'react'
import { fixed, percent, signedPercent, tone } from '../../base/format.ts'
import { useMarket } from '../../market/market-context.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { DemoBadge } from '../../ui/tag.tsx'
import { DataLine } from '../data-status/data-line.tsx'
import type { TermKey } from '../help/glossary.ts'
import { Term } from '../help/term.tsx'
import styles from './binning.module.css'
import { type BinningQuestion, isText } from './binning-form.ts'
import { type Cut, cutWords, fewMembers, leastCount, otherWarnings } from './binning-text.ts'

interface Figure {
  label: string
  term?: TermKey
  value: string
  note: string
  look?: string
}

/** The numbers in a row, what they say in a sentence, and the two things that can be done with it. */
export function VerdictCard({
  question,
  result,
  cut,
  onRank,
  onCut,
}: {
  question: BinningQuestion
  result: BinningResult
  cut: Cut | null
  onRank: () => void
  onCut: () => void
}) {
  const { body, factorName } = question
  const { id: kind } = useMarket()
  const warnings = otherWarnings(result)
  return (
    <Card
      className={styles.verdict}
      title={factorName}
      label="分箱结论"
      note={
        <>
          {body.settings.start_date} ~ {body.settings.end_date} · {body.pool_mode === 'filtered' ? '池子沿用策略条件' : '全市场'} · 版本{' '}
          {result.data_version}
        </>
      }
      badge={isSynthetic(result.data_mode) && <DemoBadge />}
      bare
    >
      <dl>
        {figuresOf(question, result).map(({ label, term, value, note, look }) => (
          <div key={label}>
            <dt>{term ? <Term k={term}>{label}</Term> : label}</dt>
            <dd className={look}>{value}</dd>
            <dd className={styles.more}>{note}</dd>
          </div>
        ))}
      </dl>
      <footer>
        <Icon name="info" />
        <p>
          <b>结论</b>
          {result.verdict}
          {body.pool_mode === 'filtered' || body.parameters ? '' : ' 池子没有剔除任何证券。'}
        </p>
        <span className="grow" />
        {!isText(body.factor) && (
          <Button look={['small']} onClick={onRank} title={`方向：${result.direction === 'small' ? '越小越好' : '越大越好'}`}>
            把它加为打分因子
          </Button>
        )}
        {cut && (
          <Button look={['small']} onClick={onCut}>
            换成条件剔除：{cut.words}
          </Button>
        )}
      </footer>
      {warnings.length > 0 && <Warnings warnings={warnings} />}
      <DataLine kind={kind} mode={result.data_mode} version={result.data_version} date={body.settings.end_date} />
    </Card>
  )
}

function Warnings({ warnings }: { warnings: readonly string[] }): ReactNode {
  return (
    <ul className={styles.warnings}>
      {warnings.map((warning) => (
        <li key={warning}>
          <Icon name="warn" size="middle" />
          {warning}
        </li>
      ))}
    </ul>
  )
}

function figuresOf({ body }: BinningQuestion, result: BinningResult): Figure[] {
  const { rank_ic: ic, long_short: spread, coverage, bins } = result
  const known = coverage.values.filter((value) => value !== null)
  const covered = known.length > 0 ? known.reduce((sum, value) => sum + value, 0) / known.length : null
  const least = leastCount(result)
  const filled = bins.filter(({ avg_count }) => avg_count > 0)
  const [top, bottom] = result.direction === 'small' ? [filled[0], filled.at(-1)] : [filled.at(-1), filled[0]]
  const horizon = body.forward_days[0] ?? 1
  const cut = cutWords(result)
  return [
    { label: 'Rank IC 均值', term: 'ic', value: fixed(ic.mean, 3), note: `前瞻 ${horizon} 日，${ic.dates.length} 日` },
    { label: 'ICIR', term: 'icir', value: fixed(ic.icir), note: '均值 ÷ 标准差，日频' },
    { label: '|t|', value: ic.t === null ? '—' : fixed(Math.abs(ic.t), 1), note: '只用互不重叠的窗口' },
    {
      label: '单调性',
      term: 'monotonicity',
      value: fixed(result.monotonicity),
      note: cut ?? `箱序与收益，逆序 ${result.inversions} 处`,
    },
    {
      label: `多空（${shortName(top?.label)} − ${shortName(bottom?.label)}）年化`,
      value: spread && !cut ? signedPercent(spread.annual_return) : '—',
      look: spread && !cut ? tone(spread.annual_return) : undefined,
      note: cut ?? (spread ? '不计成本，只作诊断' : '类别没有大小顺序'),
    },
    { label: '覆盖率', term: 'coverage', value: percent(covered, 1), note: '池内有值，全期平均' },
    {
      label: '每箱平均',
      value: bins.length > 0 ? `${fixed(least, 0)} 只` : '—',
      look: Math.round(least) < fewMembers ? 'warn' : undefined,
      note: Math.round(least) < fewMembers ? `少于 ${fewMembers} 只，结论不可靠` : `≥ ${fewMembers} 只，可以比较`,
    },
  ].map(({ look, ...figure }) => ({ ...figure, ...(look ? { look } : {}) }) as Figure)
}

/** `Q1`, or a category's own name cut to a few letters. */
export const shortName = (label: string | undefined): string =>
  label === undefined ? '—' : label.length > 6 ? `${label.slice(0, 6)}…` : label
