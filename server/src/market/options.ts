import type { SecurityOption } from '@convexa/contract'
import { boards } from '@convexa/contract/enums/board'
import { labelOf } from '@convexa/contract/enums/table'
import { bears, type Security, textOn } from '@convexa/engine'
import { readManifest } from './manifest.ts'
import { readMask, readMissingBars, readSecurities } from './read-store.ts'

/** A snapshot's securities as select options, in the order of their codes; the status is that of its last day. */
export async function optionsOf(snapshotPath: string): Promise<SecurityOption[]> {
  const manifest = await readManifest(snapshotPath)
  const [securities, listed, traded, missingBars] = await Promise.all([
    readSecurities(snapshotPath, manifest),
    readMask(snapshotPath, manifest, 'listed'),
    readMask(snapshotPath, manifest, 'traded'),
    readMissingBars(snapshotPath, manifest),
  ])
  const missing = missingBars?.get(manifest.last_date)
  const last = (manifest.rows - 1) * manifest.stride
  const statusOf = (security: Security, i: number): SecurityOption['status'] => {
    if (listed[last + i] === 0) return 'delisted'
    if (traded[last + i] === 1) return 'listed'
    return missing && bears(security, missing) ? 'missing' : 'suspended'
  }
  return securities.map((security, i) => option(security, manifest.last_date, statusOf(security, i)))
}

function option(security: Security, date: string, status: SecurityOption['status']): SecurityOption {
  const { code, name, pinyin, board, stockCode, stockName } = security
  const industry = textOn(security, 'industry_1', date)
  return {
    code,
    ...(security.formerCodes && { former_codes: [...security.formerCodes] }),
    name,
    pinyin,
    market: labelOf(boards, board),
    board,
    ...(stockCode === undefined ? {} : { stock_code: stockCode }),
    ...(stockName === undefined ? {} : { stock_name: stockName }),
    ...(industry === null ? {} : { industry }),
    list_date: security.listed,
    delist_date: security.delisted,
    last_trade_date: security.lastDay,
    status,
  }
}
