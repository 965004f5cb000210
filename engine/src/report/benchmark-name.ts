const names: Readonly<Record<string, string>> = {
  cb_ew: '可转债等权',
  stk_ew: '股票等权',
  '000300': '沪深300',
  '000905': '中证500',
  '000852': '中证1000',
  '000906': '中证800',
  '000832': '中证转债',
  '932000': '中证2000',
  H00300: '沪深300全收益',
  H00905: '中证500全收益',
  H00852: '中证1000全收益',
  H00906: '中证800全收益',
}

/** Indexes of prices alone: what their members pay out is not in them. */
export const isPriceIndex = (code: string): boolean => /^\d{6}$/.test(code) && code !== '000832'

/** What a market series is called; one without a name that is the market's own is 市场等权, any other its code. */
export const benchmarkName = (own: string, code: string): string => names[code] ?? (code === own ? '市场等权' : code)
