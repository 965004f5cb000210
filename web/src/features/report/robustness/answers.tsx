import type { ReportCore } from '@convexa/contract/report'
import { Button } from '../../../ui/button.tsx'
import { Row } from '../../../ui/layout.tsx'
import { Term } from '../../help/term.tsx'
import { capitalWords } from '../../rule/capital-words.ts'
import { Pieces } from '../pieces.tsx'
import { jumpTo } from '../sections.tsx'
import type { Piece } from '../sentences.ts'
import styles from './answers.module.css'
import { CheckMarks } from './check-marks.tsx'
import { type Checking, GridLine } from './grid-line.tsx'
import { Chip } from './verdict-chips.tsx'
import { chipsOfReport, firstLine, gapTone, recentLine, secondLine, sureWords, trustLine, trustSentence } from './verdict-text.ts'

/** 跑赢了吗 and 靠谱吗, side by side (experience.md 1). Without a reference there is neither; of a part of a run nothing is concluded. */
export function Answers({
  report,
  checking,
  onLonger,
}: {
  report: ReportCore
  checking?: Checking | undefined
  /** Runs the rule over five years. */
  onLonger?: (() => void) | undefined
}) {
  const { worth, settings, metrics, partial } = report
  const chips = partial ? null : chipsOfReport(report)
  if (partial || !worth || !chips) return <Unanswered report={report} />
  const { capital } = settings
  const recent = recentLine(worth)
  return (
    <div className={styles.answers}>
      <section className={styles.answer} aria-labelledby="answer-worth">
        <h2 id="answer-worth">跑赢了吗</h2>
        <Row as="p" wrap className={styles.answerLine}>
          <span>
            <Spread pieces={firstLine(worth, capital, metrics.days)} tone={gapTone(worth, capital)} />
          </span>
          <Chip chip={chips[0]} />
        </Row>
        <p className={styles.answerWhy} title={sureWords(worth)}>
          <Pieces pieces={secondLine(worth, capital, metrics.days)} />
        </p>
        {recent && <p className={styles.answerWhy}>{recent}。</p>}
        {worth.state === 'short' && onLonger && (
          <Button look={['small']} onClick={onLonger}>
            改为近 5 年再跑
          </Button>
        )}
        <p className="note">策略已扣交易成本，基准未扣</p>
      </section>
      <section className={styles.answer} aria-labelledby="answer-trust">
        <h2 id="answer-trust">
          靠谱吗
          <button type="button" className="link size-12" onClick={() => jumpTo('robustness')}>
            {report.group ? '四项怎么算' : '六项怎么算'}
          </button>
        </h2>
        <Row as="p" wrap className={styles.answerLine}>
          <span>{trustLine(report)}</span>
          <Chip chip={chips[1]} />
        </Row>
        {checking?.state !== 'asking' && <p className={styles.answerWhy}>{trustSentence(report.robustness)}</p>}
        {checking?.state === 'asking' && <GridLine checking={checking} />}
        <CheckMarks checks={report.robustness.checks} asking={checking?.state === 'asking'} />
        {checking && checking.state !== 'asking' && <GridLine checking={checking} />}
      </section>
    </div>
  )
}

function Unanswered({ report: { partial, worth, settings, curves } }: { report: ReportCore }) {
  const end = worth?.end_nav ?? curves.nav.at(-1)
  if (!partial && (end === null || end === undefined)) return null
  const line: Piece[] = partial ? ['没有跑完，先别下结论'] : ['期末账面 ', { strong: capitalWords(settings.capital * (end ?? 1)) }]
  return (
    <div className={styles.answers}>
      <section className={styles.answer} aria-label="结果">
        <Row as="p" wrap className={styles.answerLine}>
          <span>
            <Pieces pieces={line} />
          </span>
        </Row>
        {!partial && <p className={styles.answerWhy}>没有可比的基准，不下结论。</p>}
      </section>
    </div>
  )
}

/** The name investors give the market is explained where it first stands. */
function Spread({ pieces, tone }: { pieces: readonly Piece[]; tone: string }) {
  const [first, ...rest] = pieces
  if (typeof first !== 'string' || !first.includes(market)) return <Pieces pieces={pieces} tone={tone} />
  const [before, after] = first.split(market)
  return (
    <>
      {before}
      <Term k="spread_out">{market}</Term>
      <Pieces pieces={[after ?? '', ...rest]} tone={tone} />
    </>
  )
}
const market = '摊大饼'
