import type { Basket } from '@convexa/contract'

/** `代码,市场,数量,相对权重,方向,指定价,量比` in GBK: the only Chinese of the file. */
const header = Buffer.from('b4fac2eb2ccad0b3a12ccafdc1bf2ccfe0b6d4c8a8d6d82cb7bdcff22cd6b8b6a8bcdb2cc1bfb1c8', 'hex')
const sides = { buy: 0, sell: 1 } as const
const codes = /^(\d{6})\.(SH|SZ|BJ)$/

/**
 * The file that the terminal imports (domain.md 7.4): GBK, CRLF, no BOM, codes with their leading zeros as plain text. Nothing but
 * validated codes and numbers can enter it: what is no code throws.
 */
export function basketBytes(rows: readonly Pick<Basket['rows'][number], 'code' | 'volume' | 'weight' | 'side'>[]): Buffer {
  const lines = rows.map(({ code, volume, weight, side }) => {
    const [, digits, market] = codes.exec(code) ?? []
    if (!digits || !Number.isSafeInteger(volume) || volume <= 0 || !(weight >= 0 && weight <= 1))
      throw new Error(`no row of a basket: ${code}`)
    return [digits, market, volume, decimal(weight), sides[side], '', ''].join(',')
  })
  return Buffer.concat([header, Buffer.from(['', ...lines, ''].join('\r\n'), 'ascii')])
}

/** Up to six decimals, never in powers: `0.1`, `0.000001`. */
const decimal = (weight: number): string => weight.toFixed(6).replace(/\.?0+$/, '')
