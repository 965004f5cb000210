import type { SecurityOption } from '@convexa/contract'
import { boards } from '@convexa/contract/enums/board'
import { labelOf } from '@convexa/contract/enums/table'
import { type Security, textOn } from '@convexa/engine'
import { type KnownMember, knownMembers } from './known-members.ts'
import { readManifest } from './manifest.ts'

/** A snapshot's securities as select options, in the order of their codes; the status is that of its last day. */
export async function optionsOf(snapshotPath: string): Promise<SecurityOption[]> {
  const manifest = await readManifest(snapshotPath)
  const members = await knownMembers(snapshotPath)
  return members.map((member) => option(member.security, manifest.last_date, statusOf(member)))
}

function statusOf({ listed, traded, lacksBar }: KnownMember): SecurityOption['status'] {
  if (!listed) return 'delisted'
  if (traded) return 'listed'
  return lacksBar ? 'missing' : 'suspended'
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
