import type { BinningResult } from '@convexa/contract/binning'
import { dataModes, isSynthetic } from '@convexa/contract/enums/data-mode'
import { CardGrid } from '../../ui/card.tsx'
import { CurvesCard } from './bin-curves-card.tsx'
import type { BinningQuestion } from './binning-form.ts'
import type { BinningPart } from './binning-part.ts'
import { BinsCard } from './bins-card.tsx'
import { IcCard, MonthsCard } from './ic-cards.tsx'
import { DecayCard, TransitionCard } from './lasting-cards.tsx'
import { CoverageCard, DistributionCard } from './pool-cards.tsx'
import { TwoWayCard } from './two-way-card.tsx'

/** Bins whose transitions are seen whole in the narrow column. */
const mostNarrow = 6

/** Every look at the answer: bins, curves, information, how long it lasts, and what it rests on. */
export function BinningCharts({ question, result }: { question: BinningQuestion; result: BinningResult }) {
  const part: BinningPart = { question, result, watermark: isSynthetic(result.data_mode) ? dataModes.demo.label : null }
  // Groups by a text have no order: what asks for one is not shown.
  const ordered = result.rank_ic.mean !== null
  return (
    <>
      <CardGrid shares="narrow-wide">
        <BinsCard {...part} />
        <CurvesCard {...part} />
      </CardGrid>
      {result.two_way && <TwoWayCard {...part} table={result.two_way} />}
      {ordered && (
        <CardGrid shares="wide-narrow">
          <IcCard {...part} />
          <DecayCard {...part} />
        </CardGrid>
      )}
      <CardGrid shares={ordered && result.bins.length <= mostNarrow ? 'wide-narrow' : 'halves'}>
        {ordered ? <MonthsCard {...part} /> : <CoverageCard {...part} />}
        <TransitionCard {...part} />
      </CardGrid>
      {ordered && (
        <CardGrid>
          <DistributionCard {...part} />
          <CoverageCard {...part} />
        </CardGrid>
      )}
    </>
  )
}
