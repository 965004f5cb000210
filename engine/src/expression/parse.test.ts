import { describe, expect, it } from 'vitest'
import { markets } from '../market/index.ts'
import { compile, namesOf } from './index.ts'

const names = namesOf(markets.cb, new Set(['close', 'open', 'conv_prem', 'vol', 'total_mv', 'pe_ttm']))
const canonical = (text: string) => {
  const result = compile(text, names)
  return result.ok ? result.expression.text : result.problem.message
}

describe('what a text means', () => {
  it.each([
    // binding
    ['close+open*vol', 'close + open * vol'],
    ['(close+open)*vol', '(close + open) * vol'],
    ['close-(open-vol)', 'close - (open - vol)'],
    ['(close-open)-vol', 'close - open - vol'],
    ['close/(open/vol)', 'close / (open / vol)'],
    ['-close^2', '-close ^ 2'],
    ['(-close)^2', '(-close) ^ 2'],
    ['close^-1', 'close ^ -1'],
    ['2^3^2', '2 ^ 3 ^ 2'],
    ['(2^3)^2', '(2 ^ 3) ^ 2'],
    ['2**close', '2 ^ close'],
    ['-(close+1)*2', '-(close + 1) * 2'],
    ['close - -open', 'close - -open'],
    ['+close', 'close'],
    ['not close > 1 and open < 2 or vol = 0', 'not close > 1 and open < 2 or vol == 0'],
    ['!(close > 1 && open < 2)', 'not (close > 1 and open < 2)'],
    ['close > 1 ? 1 : open > 1 ? 2 : 3', 'close > 1 ? 1 : open > 1 ? 2 : 3'],
    ['(close > 1 ? 1 : 0) ? 2 : 3', '(close > 1 ? 1 : 0) ? 2 : 3'],
    // writing
    ['CLOSE／REF（close，5）－1', 'close / ref(close, 5) - 1'],
    ['收盘价 ＞ ＭＡ（收盘价，２０）', 'close > ts_mean(close, 20)'],
    ['`收盘价` + 100 × `转股溢价率`', 'close + 100 * conv_prem'],
    ['close ≥ 100 and close ≤ 130 and vol ≠ 0', 'close >= 100 and close <= 130 and vol != 0'],
    ['正股总市值 / 正股市盈率TTM', 'total_mv / pe_ttm'],
    ['`正股市盈率 TTM`', 'pe_ttm'],
    ['close // 收盘价\n + 1 # 加一', 'close + 1'],
    ['.5 + 1e3 + 1E-2', '0.5 + 1000 + 0.01'],
    [
      'roc(close) + delay(close, 2) + zscore(close) + rank(close) + ln(close)',
      'pct(close) + ref(close, 2) + cs_zscore(close) + cs_rank(close) + log(close)',
    ],
    // local names
    ['均线 := ma(close, 20); 均线 / 均线', '均线 := ts_mean(close, 20); 均线 / 均线'],
    ['M:=close; n:=5; ref(m, N)', 'm := close; n := 5; ref(m, n)'],
    // factors
    ['双低 + BIAS_20 + bias_5', 'dblow + bias_20 + bias_5'],
    ['dblow_chg_3', 'dblow_chg_3'],
  ])('%s', (text, meaning) => {
    expect(canonical(text)).toBe(meaning)
  })
})
