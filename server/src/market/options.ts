import type { SecurityOption } from '@convexa/contract'
import { boards } from '@convexa/contract/enums/board'
import { labelOf } from '@convexa/contract/enums/table'
import { type Security, textOn } from '@convexa/engine'
import { readManifest } from './manifest.ts'
import { readMask, readSecurities } from './read-store.ts'

/** A snapshot's securities as select options, in the order of their codes; the status is that of its last day. */
export async function optionsOf(snapshotPath: string): Promise<SecurityOption[]> {
  const manifest = await readManifest(snapshotPath)
  const [securities, listed, traded] = await Promise.all([
    readSecurities(snapshotPath, manifest),
    readMask(snapshotPath, manifest, 'listed'),
    readMask(snapshotPath, manifest, 'traded'),
  ])
  const last = (manifest.rows - 1) * manifest.stride
  return securities.map((security, i) => option(security, manifest.last_date, listed[last + i] === 1, traded[last + i] === 1))
}

function option(security: Security, date: string, listed: boolean, traded: boolean): SecurityOption {
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
    status: !listed ? 'delisted' : traded ? 'listed' : 'suspended',
  }
}
