import type { Settings } from '@convexa/contract'
import { ruleForms } from '@convexa/contract/enums/rule-forms'
import { markets } from '@convexa/engine'
import type { LoadedMarket } from '../quant/loaded-market.ts'
import { priceProblem } from '../quant/prices.ts'

/** Years that a glance looks back. */
const years = 3

/** The settings of a glance: the strategy's own, or the usual ones, over the last three years of the data. */
export function glanceSettings(market: LoadedMarket, saved: Settings | null): Settings {
  const { ref, snapshot, available, benchmarks: loaded } = market
  const { kind } = ref
  const { firstDate, lastDate } = snapshot
  const back = `${Number(lastDate.slice(0, 4)) - years}${lastDate.slice(4).replace('02-29', '02-28')}`
  const codes = new Set(loaded.map(({ code }) => code))
  const wanted = [...(saved ? [saved.benchmark] : []), ...ruleForms[kind].benchmarks]
  const { adjustment } = markets[kind].roles
  const usual: Omit<Settings, 'start_date' | 'end_date' | 'benchmark'> = {
    capital: 10,
    cost: ruleForms[kind].costs[0].cost,
    execution: 'realistic',
    fill: 'close',
    call_handling: 't_minus_1_close',
    delisting: 'last_price',
    adjust: adjustment && !available.has(adjustment) ? 'hfq' : 'raw',
  }
  const { oos_start: _later, ...rest } = saved ?? { ...usual, oos_start: null }
  return {
    ...rest,
    // So have they for the prices.
    adjust: priceProblem(market, rest.adjust) === null ? rest.adjust : market.adjust,
    start_date: back > firstDate ? back : firstDate,
    end_date: lastDate,
    // The data may have another than the one that was chosen: a glance is still worth having.
    benchmark: wanted.find((code) => codes.has(code)) ?? wanted[0]!,
  }
}
