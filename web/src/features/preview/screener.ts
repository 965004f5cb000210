import { missingValues } from '@convexa/contract/enums/missing-value'
import { type CrossSection, IncrementalScreen, markets, sectionOfWire, type WireColumn } from '@convexa/engine/screen'
import type { Answer, PreviewAnswer, Request, ScreenMessage } from './messages.ts'

/** Rows of the ranking that are made besides the list: making and sending one takes longer than ranking a hundred. */
const mostRows = 80

/** The engine's own screen on the values that were sent to it; it stays on the day while parameters change. */
export function makeScreener(): (request: Request) => Answer | null {
  const columns = new Map<string, WireColumn>()
  let section: CrossSection | null = null
  let standing: IncrementalScreen | null = null

  return (request) => {
    switch (request.type) {
      case 'day': {
        const market = markets[request.kind]
        columns.clear()
        standing = new IncrementalScreen(market)
        section = sectionOfWire(market, request, (ref) => columns.get(ref) ?? null)
        return null
      }
      case 'columns':
        for (const { ref, ...column } of request.columns) columns.set(ref, column)
        return null
      case 'screen':
        return { id: request.id, answer: section && standing && answerTo(request, section, standing, columns) }
      case 'why': {
        const at = section?.facts.securities.findIndex(({ code }) => code === request.code) ?? -1
        const isScreened = at >= 0 && section && standing?.screen(section, request.parameters).ok
        return { id: request.id, answer: null, rules: isScreened && standing ? standing.rulesAgainst(at) : [] }
      }
    }
  }
}

function answerTo(
  { parameters, previous }: ScreenMessage,
  section: CrossSection,
  standing: IncrementalScreen,
  columns: ReadonlyMap<string, WireColumn>,
): PreviewAnswer | null {
  // Days before are not here: a gap that they would fill cannot be told.
  const gaps = parameters.rank_factors.some(
    (row) => row.enable && missingValues[row.missing_process].from === 'history' && columns.get(row.factor_key)?.values.some(Number.isNaN),
  )
  if (gaps) return null
  const began = performance.now()
  const outcome = standing.screen(section, parameters, previous)
  if (!outcome.ok) return null
  const { parts } = outcome
  const best = Array.from({ length: Math.min(parts.size, mostRows) }, (_, i) => parts.at(i + 1))
  // Securities of the previous list get a row at any rank: the changes show how far each one moved.
  const places = new Map(section.facts.securities.map(({ code }, place) => [code, place]))
  const previousPlaces = previous.flatMap((code) => places.get(code) ?? [])
  const rows = [...new Set([...best, ...parts.selection, ...previousPlaces])].map(parts.row)
  return {
    total: parts.size,
    selected: parts.selection.map((security) => section.facts.securities[security]?.code ?? ''),
    rows,
    reserves: parts.reserves.map(parts.row),
    funnel: parts.funnel(),
    warnings: [...parts.warnings],
    milliseconds: performance.now() - began,
  }
}
